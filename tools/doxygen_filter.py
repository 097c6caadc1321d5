#!/usr/bin/env python3
"""Turn the plain comments of a public header into those that Doxygen reads, as its INPUT_FILTER.

The comment at the top is about the file. A comment over declarations is about all of them up to the
next empty line or comment, together with what stands at the end of each line. Within a struct or an
enum a comment is about the members that follow, up to one that has a comment of its own. What is
indented by five spaces is code. Names of functions and macros become links.

Left out: names that end with an underscore, guards, and what follows a line `// ---` in a struct.
In ilk.h, which includes all, the headers become a table for the main page.

usage: doxygen_filter.py <header>
"""
import re
import sys
from pathlib import Path

COMMENT = re.compile(r"\s*//( ?)(.*)$")
TRAILING = re.compile(r"^(.*\S)\s*// (.*)$")
NAME = re.compile(r"(?<!\")\b(?:ilk_\w+|ILK_\w+(?!\w*\())")
DECLARED = re.compile(r"ILK_API [^;(]*?\b(ilk_\w+)\(|#define (ILK_\w+)|inline \w+ (ilk_\w+)\(")
LIST_ENTRY = re.compile(r"\s*X\((\w+), (\d+), \"(.*)\"\)")
GUARD = re.compile(r"#define ILK_\w*H$")
HIDDEN = re.compile(r"#(define|undef) \w+_\b(?!\w)")
# Doxygen wants a word about each member; a name that says it all has none.
NO_WORD = "&zwj;"


def declared_names(headers):
    found = set()
    for header in headers:
        for names in DECLARED.findall(header.read_text(encoding="utf-8")):
            found.update(name for name in names if name)
    return found


class Words:
    """Turns lines of a comment into Doxygen's language."""

    def __init__(self, names):
        self.names = names

    def linked(self, match):
        return f"#{match[0]}" if match[0] in self.names else match[0]

    def prose(self, line):
        parts = re.split(r"(`[^`]*`)", line)
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"([\\@<>&%#])", r"\\\1", parts[i])
            parts[i] = NAME.sub(self.linked, parts[i])
        return re.sub(r"^\s*–", "-", "".join(parts))

    def block(self, lines):
        """A comment of Doxygen's; without lines, one that says nothing."""
        out = []
        is_code = is_list = False
        for line in lines or [NO_WORD]:
            is_list = line.lstrip().startswith("–") or is_list and line.startswith("    ")
            if line.startswith("    ") and not is_code and not is_list:
                out.append("\\code{.c}")
                is_code = True
            elif is_code and line and not line.startswith("    "):
                out.append("\\endcode")
                is_code = False
            out.append(line[4:] if is_code else self.prose(line) if lines else line)
        if is_code:
            out.append("\\endcode")
        return ["/**"] + [line.replace("*/", "* /") for line in out] + ["*/"]


def comment_of(line):
    """The text of a line that is nothing but a comment, or None."""
    match = COMMENT.match(line)
    return match[2] if match else None


def is_whole(text):
    """Whether a declaration is over: all brackets are closed, and it does not go on."""
    code = re.sub(r"//.*", "", text)
    if code.startswith("#"):
        return not code.endswith("\\")
    return code.count("{") == code.count("}") and code.rstrip().endswith((";", "}"))


def one_by_one(code):
    """`uint32_t a, b;` as two members; anything else as it is."""
    several = re.fullmatch(r"(\s*\w+) (\w+(?:, \w+)+);", code)
    return [f"{several[1]} {name};" for name in several[2].split(", ")] if several else [code]


def take_declaration(lines):
    """Take the lines of the next declaration away from the front."""
    taken = [lines.pop(0)]
    while not is_whole("\n".join(taken)) and lines:
        taken.append(lines.pop(0))
    return taken


def split_trailing(line):
    match = TRAILING.match(line)
    return (match[1], [match[2]]) if match else (line, [])


def take_trailing(lines, column):
    """Take the lines that go on with a comment that stood at the end of a line, in this column."""
    taken = []
    while lines and lines[0].find("//") == column and comment_of(lines[0]) is not None:
        taken.append(comment_of(lines.pop(0)))
    return taken


class Filter:
    def __init__(self, words, entries):
        self.words = words
        self.entries = entries  # of the list of results, which an enum includes
        self.out = []

    def members(self, lines):
        """The lines between the braces of a struct or an enum."""
        above = []
        while lines:
            line = lines.pop(0)
            text = comment_of(line)
            if text == "---":
                self.out.append("/** \\cond */")
                self.out += lines + ["/** \\endcond */"]
                return
            if text is not None:
                above = [text] + take_trailing(lines, line.find("//"))
            elif line.startswith("#") or not line.strip():
                above = []
            elif "ILK_RESULT_" in line:
                for name, number, sentence in self.entries:
                    self.out += self.words.block([sentence]) + [f"ILK_{name} = {number},"]
            else:
                above = self.member(line, lines, above)

    def member(self, line, lines, above):
        code, own = split_trailing(line)
        own += take_trailing(lines, line.find("//")) if own else []
        while not re.search(r"[;,]$|^\s*\w+( = \w+)?$", code) and lines:
            further, more = split_trailing(lines.pop(0))
            code += " " + further.strip()
            own += more
        for one in one_by_one(code):
            self.out += self.words.block(above + own) + [one]
        return [] if own else above

    def declaration(self, lines, above):
        """A declaration with what is said above it; for Doxygen, each has its own words."""
        head, own = split_trailing(lines[0]) if len(lines) == 1 else (lines[0], [])
        if len(lines) > 1 and lines[0].startswith("ILK_API"):
            last, own = split_trailing(lines[-1])
            lines = lines[:-1] + [last]
        if above or own:
            self.out += self.words.block(above + ([""] if above and own else []) + own)
        self.out.append(head)
        is_body = re.match(r"(typedef )?(struct|enum)\b.*\{", head) is not None
        if is_body:
            self.members(lines[1:-1])
            self.out.append(lines[-1])
        else:
            self.out += lines[1:]

    def run(self, lines):
        above = []
        while lines:
            text = comment_of(lines[0])
            if text is not None and text.startswith("clang-format"):
                lines.pop(0)
            elif text is not None:
                above = []
                while lines and comment_of(lines[0]) is not None:
                    above.append(comment_of(lines.pop(0)))
            elif not lines[0].strip():
                self.out.append(lines.pop(0))
                above = []
            elif lines[0].startswith("#") and not lines[0].startswith("#define"):
                self.out.append(lines.pop(0))
            elif lines[0].startswith(('extern "C"', "}")):
                self.out.append(lines.pop(0))
            else:
                declaration = take_declaration(lines)
                if not GUARD.match(declaration[0]) and not HIDDEN.match(declaration[0]):
                    self.declaration(declaration, above)


def first_sentence(header):
    text = " ".join(file_comment(header.read_text(encoding="utf-8").split("\n")))
    return re.split(r"(?<=[.])(?: |$)|$", text)[0]


def file_comment(lines):
    found = []
    for line in lines:
        if comment_of(line) is None:
            return found
        found.append(comment_of(line))
    return found


def table_of_headers(path, lines, words):
    rows = ["\\mainpage ilk", "", "| header | |", "|---|---|"]
    for line in lines:
        included = re.match(r'#include "(\w+\.h)"', line)
        if included and included[1] != "quick.h":
            sentence = words.prose(first_sentence(path.parent / included[1]))
            rows.append(f"| \\ref {included[1]} | {sentence} |")
    return ["/**"] + rows + ["*/"]


def main():
    path = Path(sys.argv[1])
    lines = path.read_text(encoding="utf-8").split("\n")
    main_headers = Path(__file__).resolve().parent.parent / "include/ilk"
    words = Words(declared_names({*main_headers.glob("*.h"), *path.parent.glob("*.h")}))
    about = file_comment(lines)
    filter_ = Filter(words, LIST_ENTRY.findall("\n".join(lines)))
    filter_.run(lines[len(about):])
    opening = words.block(about)
    opening.insert(1, "\\file")
    if path.name == "ilk.h":
        opening += table_of_headers(path, lines, words)
    print("\n".join(opening + filter_.out))


if __name__ == "__main__":
    main()
