#!/usr/bin/env python3
"""Check that every include goes with the order of the layers.

A source of src/<layer>/ includes its own layer and those before it. Public headers include standard
headers and each other. src/ilk.c includes every source once, in the order of the layers. Addons,
examples and the game use public headers only.

usage: check_layers.py [--self-test]
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

LAYERS = ("base containers entity component storage relation query "
          "world deferred event schedule history").split()
STANDARD = set("assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h "
               "locale.h math.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h "
               "stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h "
               "time.h uchar.h wchar.h wctype.h".split())
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def c_files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h"))


def includes(path):
    """Yield line number, bracket and name of each include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def resolve(root, path, bracket, name):
    """The file of the project that an include means, or None. The one-file build is given
    include/ and no other folder, so internal headers are found from the file that includes them."""
    folders = [root / "include"]
    if bracket == '"':
        folders.insert(0, path.parent)
    for folder in folders:
        target = (folder / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target
    return None


def layer_of(root, path):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def is_public(root, path):
    return path.is_relative_to(root / "include")


def check_public(root):
    for path in c_files(root / "include"):
        for line, bracket, name in includes(path):
            target = resolve(root, path, bracket, name)
            if target is None and not (bracket == "<" and name in STANDARD):
                yield path, line, f"a public header includes {name}, which is not standard"
            elif target and not is_public(root, target):
                yield path, line, f"a public header includes {name}, which is internal"


def check_source(root, path):
    own = layer_of(root, path)
    if own not in LAYERS:
        yield path, 1, "stands in no layer"
        return
    for line, bracket, name in includes(path):
        target = resolve(root, path, bracket, name)
        if target is None:
            if bracket == '"':
                yield path, line, f"{name} is not found from here"
        elif target.suffix == ".c":
            yield path, line, f"includes the source {name}; only src/ilk.c does that"
        elif not is_public(root, target):
            other = layer_of(root, target)
            if other not in LAYERS:
                yield path, line, f"includes {name}, which is in no layer"
            elif LAYERS.index(other) > LAYERS.index(own):
                yield path, line, f"{own} includes {name}, but {other} comes after it"


def check_contents(root):
    """src/ilk.c: every source once, in order."""
    contents = root / "src/ilk.c"
    if not contents.is_file():
        yield contents, 1, "is not there"
        return
    seen = {}
    furthest = 0
    for line, bracket, name in includes(contents):
        target = resolve(root, contents, bracket, name)
        if target is None or target.suffix != ".c":
            continue
        if target in seen:
            yield contents, line, f"{name} is included already, at line {seen[target]}"
        seen[target] = line
        layer = layer_of(root, target)
        place = LAYERS.index(layer) if layer in LAYERS else furthest
        if place < furthest:
            yield contents, line, f"{name} comes after a source of {LAYERS[furthest]}"
        furthest = max(furthest, place)
    for path in c_files(root / "src"):
        if path.suffix == ".c" and path != contents and path not in seen:
            yield contents, 1, f"{path.relative_to(root)} is not included"


def check_outside(root):
    """Addons, examples and the game."""
    for folder in ("addons", "examples", "game"):
        for path in c_files(root / folder):
            for line, bracket, name in includes(path):
                target = resolve(root, path, bracket, name)
                if target and target.is_relative_to(root / "src"):
                    yield path, line, f"includes {name}, which is internal"
                elif target is None and bracket == '"':
                    yield path, line, f"{name} is not found from here"


def offences(root):
    root = root.resolve()
    found = list(check_public(root))
    for path in c_files(root / "src"):
        if path != root / "src/ilk.c":
            found += check_source(root, path)
    found += check_contents(root)
    found += check_outside(root)
    return [f"{path.relative_to(root)}:{line}: {what}" for path, line, what in found]


def self_test(root):
    """Plant each kind of offence in a copy, and see it caught."""
    plants = {
        "src/base/planted.h": ('#include "../world/planted.h"', "but world comes after it"),
        "src/world/planted.c": ("", "src/world/planted.c is not included"),
        "src/base/missing.h": ('#include "nowhere.h"', "nowhere.h is not found from here"),
        "src/base/user.h": ('#include "../ilk.c"', "only src/ilk.c does that"),
        "src/other/planted.h": ("", "stands in no layer"),
        "include/ilk/planted.h": ("#include <unistd.h>", "which is not standard"),
        "include/ilk/inward.h": ('#include "../../src/base/planted.h"', "which is internal"),
        "examples/planted.c": ('#include "../src/base/planted.h"', "which is internal"),
        "game/planted.c": ('#include "../src/base/planted.h"', "game/planted.c:1"),
    }
    contents = {
        '#include "base/late.c"': "base/late.c comes after a source of",
        '#include "world/twice.c"': "world/twice.c is included already",
    }
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("include", "src", "examples", "addons", "game"):
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name)
        wanted = []
        for name in ("src/world/planted.h", "src/world/twice.c", "src/base/late.c"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text("")
        for name, (text, complaint) in plants.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text + "\n")
            wanted.append(complaint)
        with open(copy / "src/ilk.c", "a", encoding="utf-8") as file:
            file.write('#include "world/twice.c"\n')
            for text, complaint in contents.items():
                file.write(text + "\n")
                wanted.append(complaint)
        found = offences(copy)
    return [f"not caught: {complaint}" for complaint in wanted
            if not any(complaint in offence for offence in found)]


def main():
    root = Path(__file__).resolve().parent.parent
    found = self_test(root) if "--self-test" in sys.argv else offences(root)
    print("\n".join(found) if found else "The layers are in order.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
