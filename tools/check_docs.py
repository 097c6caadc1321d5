#!/usr/bin/env python3
"""Check the pages of the documentation against the project.

Code: each block ```c or ```cpp of README.md and docs/ is cut from one compiled file (SOURCES below).
(Where a page shows what others write, it says ```c++.) It is made of pieces, with a line `…` between them, or a `…` at the end of a piece's last line for the rest
of that line. A piece is a run of consecutive lines of the file, indented as a whole as it likes; the
pieces may stand in another order than in the file. In the public headers ILK_API and indentation do
not count, so that declarations can be cut from there.

Output: a block ```text is cut likewise, with a line `…` for each gap, from what the comment at the top of
a program says that it prints, as tools/check_example.py compares it.

Links: each relative link and picture of a page leads to a file that is there, and each #anchor to a
heading that is there. With --links only that, for the pages in a folder; what they say of the folders
that are named after it, which are not there with them, is passed over.

Functions: each public function is named by a page or an example.

Names: what a page calls `ilk_…` or `ILK_…` is there, in a header, an option of the build or a program.

usage: check_docs.py [--self-test | --links <folder> [<not there>…]]
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

sys.dont_write_bytecode = True
from check_example import is_as_promised, promised

CODE_PAGES = ("README.md", "docs/**/*.md")
PAGES = CODE_PAGES + ("CONTRIBUTING.md", "CHANGELOG.md", "examples/**/*.md", "addons/**/*.md")
HEADERS = ("include/ilk/*.h", "addons/*/include/ilk/*.h")
SOURCES = ("examples/**/*.[ch]", "docs/code/*.c*", "game/**/*.[ch]", "test/**/*.[ch]",
           "test/cpp/**/*.cpp", "bindings/**/*.cpp", "bench/*.c") + HEADERS
# Programs whose output is compared.
PRINTING = ("examples/*.c", "docs/code/*.c*", "bindings/**/*.cpp")
# Where a user would look for a function. The requirements are a list for those who work on ilk.
NAMING = ("README.md", "docs/**/*.md", "examples/**/*.[ch]")
NOT_NAMING = "docs/requirements.md"

NAMED = ("include/**/*.h", "addons/**/*.h", "bindings/**/*.hpp", "**/CMakeLists.txt", "cmake/*", "meson*",
         "src/base/native.h", "bench/*.c", "docs/code/*.c*", "tools/*")
NOT_NAMED = "docs/conventions.md"  # it shows how names are made
NAME = re.compile(r"\b(?:ilk|ILK)_\w+(?![\w*…])")

CODE = ("c", "cpp")
OUTPUT = ("text",)

FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\S*)")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
TAG = re.compile(r"<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def files(root, patterns):
    return sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})


def lines_of(path):
    return [line.rstrip() for line in path.read_text(encoding="utf-8").split("\n")]


def prose_and_code(path):
    """Yield line number, line and the language of the block that it stands in; None outside."""
    fence = language = None
    for number, line in enumerate(lines_of(path), 1):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence, language = mark[1], mark[2]
        elif mark and mark[1].startswith(fence) and not mark[2]:
            fence = language = None
        else:
            yield number, line, language


def blocks(path, languages):
    """Yield the line number and the lines of each block in one of these languages."""
    block, start, last = [], 0, 0
    for number, line, language in prose_and_code(path):
        is_wanted = language in languages
        if block and (not is_wanted or number != last + 1):
            yield start, block
            block = []
        if is_wanted:
            start = start if block else number
            block.append(line)
            last = number
    if block:
        yield start, block


def pieces(block):
    """Split a block where it has gaps; each piece keeps a `…` at the end of its last line."""
    found = [[]]
    for line in block:
        if line.strip() != "…":
            found[-1].append(line)
        if line.endswith("…"):
            found.append([])
    return [dedented(piece) for piece in found if any(piece)]


def dedented(lines):
    while lines and not lines[0]:
        lines = lines[1:]
    while lines and not lines[-1]:
        lines = lines[:-1]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    return [line[min(indents, default=0):] for line in lines]


class Source:
    """A compiled file, in which pieces are looked for."""

    def __init__(self, path, is_header):
        self.is_header = is_header
        self.lines = [self.plain(line) for line in lines_of(path)]
        self.places = {}
        for at, line in enumerate(self.lines):
            self.places.setdefault(line.strip(), []).append(at)

    def plain(self, line):
        return line.replace("ILK_API ", "").strip() if self.is_header else line

    def has(self, piece):
        wanted = [self.plain(line) for line in piece]
        if wanted[0].endswith("…"):
            starts = range(len(self.lines))
        else:
            starts = self.places.get(wanted[0].strip(), [])
        return any(self.matches(wanted, dedented(self.lines[at:at + len(wanted)])) for at in starts)

    @staticmethod
    def matches(wanted, lines):
        if wanted[-1].endswith("…"):
            *wanted, beginning = wanted
            *lines, last = lines or [""]
            if not last.startswith(beginning[:-1].rstrip()):
                return False
        return wanted == lines


class Output:
    """What a program prints, by its comment."""

    def __init__(self, lines):
        self.lines = lines

    def has(self, piece):
        printed = "\n".join(piece)
        ends = range(1, len(self.lines) + 1)
        return any(is_as_promised(printed, self.lines[start:end]) for end in ends for start in range(end))


def cut_offences(root, languages, sources):
    for page in files(root, CODE_PAGES):
        for line, block in blocks(page, languages):
            wanted = pieces(block)
            here = f"{page.relative_to(root)}:{line}"
            if not wanted:
                yield f"{here}: a block without code"
                continue
            if any(all(source.has(piece) for piece in wanted) for source in sources):
                continue
            lost = [p for p in wanted if not any(source.has(p) for source in sources)]
            if lost:
                yield f"{here}: no compiled file has: " + "\n    ".join(lost[0])
            else:
                yield f"{here}: the pieces are of several files"


def code_offences(root):
    headers = set(files(root, HEADERS))
    sources = [Source(path, path in headers) for path in files(root, SOURCES)]
    yield from cut_offences(root, CODE, sources)
    outputs = [Output(lines) for path in files(root, PRINTING)
               for lines in promised(path.read_text(encoding="utf-8"))]
    yield from cut_offences(root, OUTPUT, outputs)


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    seen = {}
    for _, line, language in prose_and_code(path):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if language is not None or not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = seen.get(slug, 0)
        seen[slug] = number + 1
        found.add(f"{slug}-{number}" if number else slug)
    return found


def links(path):
    """Yield line number and target of each link of a page, outside of code."""
    for number, line, language in prose_and_code(path):
        if language is None:
            prose = re.sub(r"`[^`]*`", "`code`", line)
            for target in LINK.findall(prose) + TAG.findall(prose):
                yield number, target


def link_offences(root, absent=()):
    for page in files(root, PAGES):
        for number, target in links(page):
            if ELSEWHERE.match(target):
                continue
            here = f"{page.relative_to(root)}:{number}"
            name, _, anchor = target.partition("#")
            file = Path(os.path.normpath(page.parent / unquote(name))) if name else page
            if any(file.is_relative_to(root / folder) for folder in absent):
                continue
            if not file.exists() or not file.is_relative_to(root):
                yield f"{here}: {target} is not there"
            elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
                yield f"{here}: {target} has no such heading"


def function_offences(root, functions):
    pages = [path for path in files(root, NAMING) if path != root / NOT_NAMING]
    words = {word for path in pages for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    for name in functions:
        if name not in words:
            yield f"no page and no example names {name}"


def name_offences(root):
    there = {word for path in files(root, NAMED)
             for word in re.findall(r"\w+", path.read_text(encoding="utf-8", errors="ignore"))}
    there |= {f"ILK_{word}" for word in there if word.isupper()}  # results, by their list
    for page in files(root, CODE_PAGES):
        if page == root / NOT_NAMED:
            continue
        for number, line, language in prose_and_code(page):
            for code in [] if language is not None else re.findall(r"`([^`]+)`", line):
                for name in NAME.findall(code):
                    if name not in there and not name.endswith("_"):
                        yield f"{page.relative_to(root)}:{number}: there is no {name}"


def public_functions(root):
    script = root / "tools/public_functions.sh"
    names = subprocess.run([script], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return [name for name in names if not name.startswith("ilki_")]


def offences(root, functions):
    found = [*code_offences(root), *link_offences(root), *function_offences(root, functions),
             *name_offences(root)]
    if not any(True for page in files(root, CODE_PAGES) for _ in blocks(page, CODE)):
        found.append("no page has code")
    if not functions:
        found.append("there are no public functions")
    return found


SELF_TEST_FILES = {
    "examples/one.c": """// It prints
//     one
//     two is said in
//         … ns
//     three
int main(void) {
    int a = 1;
    if (a) {
        a = 2;
    }
    return a ? long_name(1, 2) : 0;
}
""",
    "examples/two.c": "int two(void);\nstatic int second;\n",
    "include/ilk/one.h": "ILK_API int ilk_one(int a,\n                    int b);\n",
    "docs/code/two.cpp": "    ilk::world one;\n",
    "docs/picture.svg": "<svg/>",
    "docs/requirements.md": "ilk_only_required\n",
    "docs/page.md": """# A page: of `code`
```c
if (a) {
    a = 2;
}
…
int a = 1;
```
```c
return a ? long_name(…
}
```
```c
int ilk_one(int a,
            int b);
```
```c
if (a) {
a = 2;
}
```
```c
int a = 1;
…
int two(void);
```
```c
int a = 3;
```
```c
…
```
```text
one
…
  two is said in 7 ns
```
```text
four
```
```text
two is said in 7 ns
seven
```
```cpp
ilk::world one;
```
```cpp
ilk::world two;
```
```c++
ilk::world theirs;
```
```
int untold = 3; [not a link](absent.md)
```
## Twice
## Twice
[right](page.md#a-page-of-code) ![right](picture.svg) [right](#twice-1) [web](https://example.org/x)
`[code](absent.md)` [right](../examples/)
[wrong](absent.md) ![wrong](absent.svg)
[wrong](#nothing) <img alt="wrong" src="lost.svg">
[wrong](../examples/one.c#a)
ilk_named
`ilk_one(ilk_lost)` `ilk_many_…` `ILK_LOST`
```
ilk_untold
```
""",
    "README.md": "[wrong](docs/page.md#twice-2)\n",
}
SELF_TEST_WANTED = [
    "docs/page.md:18: no compiled file has: if (a) {",
    "docs/page.md:23: the pieces are of several files",
    "docs/page.md:28: no compiled file has: int a = 3;",
    "docs/page.md:31: a block without code",
    "docs/page.md:39: no compiled file has: four",
    "docs/page.md:42: no compiled file has: two is said in 7 ns",
    "docs/page.md:49: no compiled file has: ilk::world two;",
    "docs/page.md:61: absent.md is not there",
    "docs/page.md:61: absent.svg is not there",
    "docs/page.md:62: #nothing has no such heading",
    "docs/page.md:62: lost.svg is not there",
    "docs/page.md:63: ../examples/one.c#a has no such heading",
    "docs/page.md:65: there is no ilk_lost",
    "docs/page.md:65: there is no ILK_LOST",
    "README.md:1: docs/page.md#twice-2 has no such heading",
    "no page and no example names ilk_only_required",
    "no page and no example names ilk_missing",
]


def self_test():
    """Plant each kind of offence in a small project, and see each caught and nothing else."""
    functions = ["ilk_named", "ilk_only_required", "ilk_missing"]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in SELF_TEST_FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = offences(root, functions)
        found_without_docs = [*link_offences(root, ["docs"])]
        empty = root / "empty"
        empty.mkdir()
        found_in_nothing = offences(empty, [])
    wanted = SELF_TEST_WANTED
    missed = [f"not caught: {w}" for w in wanted if not any(f.startswith(w) for f in found)]
    extra = [f"caught for no reason: {f}" for f in found
             if not any(f.startswith(w) for w in wanted)]
    if found_in_nothing != ["no page has code", "there are no public functions"]:
        missed.append("not caught: that nothing is there")
    if any(f.startswith("README.md") for f in found_without_docs) or not found_without_docs:
        missed.append("links into a folder that is not there are not passed over")
    return missed + extra


def check_links(folder, absent):
    if not any(True for page in files(folder, PAGES) for _ in links(page)):
        return [f"no page in {folder} has a link"]
    return [*link_offences(folder, absent)]


def main():
    if sys.argv[1:2] == ["--links"]:
        found = check_links(Path(sys.argv[2]).resolve(), sys.argv[3:])
        print("\n".join(found) or "The links of the pages lead somewhere.")
        return 1 if found else 0
    root = Path(__file__).resolve().parent.parent
    is_self_test = "--self-test" in sys.argv
    found = self_test() if is_self_test else offences(root, public_functions(root))
    if found:
        print("\n".join(found))
    else:
        print("Each offence is caught." if is_self_test else "The pages and the project agree.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
