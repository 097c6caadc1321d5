#!/usr/bin/env python3
"""Make ilk as two files, ilk.h and ilk.c, for projects that take sources in.

ilk.h is every public header, each after those that it includes; ilk.c is every file of src, in the
order in which the preprocessor meets them. Guards and includes of ilk's own are left out, and
standard headers are included once; nothing else is changed.

usage: dist.py [--archive] <folder>

With --archive the folder also gets ilk-<version>.tar.gz, which is the last commit, and SHA256SUMS.
"""
import argparse
import gzip
import hashlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "include"
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]')
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\n\Z", re.S | re.M)


LIBRARY_START = """#define ILK_BUILDING

// What was inline in a header may be unused.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-function"
#endif

"""


def version():
    text = (PUBLIC / "ilk/base.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"#define ILK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def read(path):
    """The text of a file, without its guard if it is a header."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".h":
        return text
    bare, found = GUARD.subn(lambda match: match[2], text)
    if found != 1:
        sys.exit(f"{path.relative_to(ROOT)} has no guard as others have")
    return bare


def resolve(path, bracket, name):
    """The file of ilk that an include means; None for a header of the system."""
    for folder in ([path.parent] if bracket == '"' else []) + [PUBLIC]:
        if (folder / name).is_file():
            return (folder / name).resolve()
    if bracket == '"':
        sys.exit(f"{path.relative_to(ROOT)} includes {name}, which is nowhere")
    return None


def includes(path):
    """The files of ilk that a file includes."""
    found = [INCLUDE.match(line) for line in read(path).splitlines()]
    targets = [resolve(path, match[1], match[2]) for match in found if match]
    return [target for target in targets if target]


def reach(path, seen):
    """Add to `seen` what a file includes, in any number of steps, each after what it needs."""
    for target in includes(path):
        if target not in seen:
            reach(target, seen)
            seen.setdefault(target)
    return seen


class Merger:
    """Puts files together, each once."""

    def __init__(self):
        self.seen = set()  # files of ilk, and names of system headers
        self.lines = []

    def add(self, path):
        """Add a file, and where it includes another one that, if it is not there yet."""
        self.seen.add(path)
        depth = 0
        for line in read(path).splitlines():
            if re.match(r"#if", line):
                depth += 1
            elif re.match(r"#endif", line):
                depth -= 1
            match = INCLUDE.match(line)
            if not match:
                self.lines.append(line)
            elif not self.include(path, match, depth > 0):
                self.lines.append(line)

    def include(self, path, match, is_conditional):
        """Do what an include asks for; False if the line is to stay."""
        target = resolve(path, match[1], match[2])
        what = target or match[2]
        if is_conditional:
            if target:
                sys.exit(f"{path.relative_to(ROOT)} includes {match[2]} under a condition")
            return False
        if what in self.seen:
            return True
        self.seen.add(what)
        if not target:
            return False
        self.add_part(target)
        return True

    def add_part(self, path):
        self.lines += ["", f"// {path.relative_to(ROOT)}", ""]
        self.add(path)
        self.lines.append("")

    def text(self):
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip("\n") + "\n"


class HeaderOnce(Merger):
    """Includes ilk.h where the first public header is included."""

    def include(self, path, match, is_conditional):
        target = resolve(path, match[1], match[2])
        if target and target.is_relative_to(PUBLIC):
            if "ilk.h" not in self.seen:
                self.seen.add("ilk.h")
                self.lines.append('#include "ilk.h"')
            return True
        return super().include(path, match, is_conditional)


def head(what):
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    lines = [f"ilk {version()}: an entity component system in C11.", *what, "", *licence]
    return "".join(f"// {line}".rstrip() + "\n" for line in lines) + "\n"


def header():
    """Every public header. What no source includes is for callers only: macros that have the names
    of functions, which the library defines."""
    order = reach(PUBLIC / "ilk/ilk.h", {})
    missing = set(PUBLIC.glob("ilk/*.h")) - set(order) - {PUBLIC / "ilk/ilk.h"}
    if missing:
        sys.exit("ilk.h includes no " + ", ".join(sorted(path.name for path in missing)))
    inside = reach(ROOT / "src/ilk.c", {})
    merger = Merger()
    for path in [path for path in order if path in inside]:
        merger.add_part(path)
    merger.lines += ["", "#ifndef ILK_BUILDING"]
    for path in [path for path in order if path not in inside]:
        merger.add_part(path)
    merger.lines += ["", "#endif"]
    return (head(["All of its public headers; the library is ilk.c."]) +
            "#ifndef ILK_H\n#define ILK_H\n\n" + merger.text() + "\n#endif\n")


def library():
    merger = HeaderOnce()
    merger.add(ROOT / "src/ilk.c")
    while merger.lines[0].startswith("//"):  # how the file that is taken apart here is compiled
        del merger.lines[0]
    how = ["The whole library; its public headers are ilk.h:", "    cc -std=c11 -O2 -c ilk.c"]
    return head(how) + LIBRARY_START + merger.text()


def write_archive(folder):
    name = f"ilk-{version()}"
    command = ["git", "-C", ROOT, "archive", f"--prefix={name}/", "HEAD"]
    tar = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    (folder / f"{name}.tar.gz").write_bytes(gzip.compress(tar, mtime=0))
    files = ["ilk.c", "ilk.h", f"{name}.tar.gz"]
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}
    (folder / "SHA256SUMS").write_text("".join(f"{sums[file]}  {file}\n" for file in files))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--archive", action="store_true")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "ilk.h").write_text(header(), encoding="utf-8")
    (options.folder / "ilk.c").write_text(library(), encoding="utf-8")
    if options.archive:
        write_archive(options.folder)


if __name__ == "__main__":
    main()
