#!/usr/bin/env python3
"""Runs an example and compares what it prints with what the comment at its top says that it prints.

    check_example.py examples/01_hello.c build/gcc-release/examples/01_hello
    check_example.py examples/01_hello.c qemu-aarch64 build/01_hello
    check_example.py --checked docs/code/start.c build/checked/docs_code/start
    check_example.py --self-test

The lines of that comment that are indented by five spaces or more are the output. A line of the
output may be broken in two there. `…` stands for what differs from run to run, within a line.
After a line of the comment that ends with `on stderr` they are what is printed there; after one that
ends with `in the checked build`, what is printed there by a checked build, which --checked says it is.
What lies in examples/ has such lines, and is under 80 in all. A program from elsewhere that has none
is only run.
"""
import re
import subprocess
import sys
from pathlib import Path

LONGEST = 79


def promised(source):
    """The lines of what a program prints, and of what it prints on stderr: if plain, and if checked."""
    lines = {"": [], "on stderr": [], "in the checked build": []}
    where = ""
    for line in source.split("\n"):
        if not line.startswith("//"):
            break
        text = re.match(r"//     +(\S.*)$", line)
        if text:
            lines[where].append(text[1])
        else:
            where = next((words for words in lines if words and line.endswith(words)), where)
    return list(lines.values())


def is_as_promised(printed, lines):
    def word(text):
        return ".+".join(re.escape(part) for part in text.split("…"))

    patterns = [" +".join(word(text) for text in line.split()) for line in lines]
    return re.fullmatch(r"\s+".join(patterns), printed.strip()) is not None


def offence(path, source, printed, errors="", is_checked=False):
    """What is wrong with a program, or None."""
    lines, *told = promised(source)
    is_example = Path(path).parent.name == "examples"
    if is_example and source.count("\n") > LONGEST:
        return f"has more than {LONGEST} lines"
    if is_example and not lines:
        return "does not say what it prints"
    for is_said, wanted in ((printed, lines), (errors, told[is_checked])):
        if wanted and not is_as_promised(is_said, wanted):
            return "does not print what it says:\n    " + "\n    ".join(wanted) + "\nbut:\n" + is_said
    return None


def self_test():
    source = "// It prints\n//     one {x 1}, and\n//         two\n//     … ns\n#include <stdio.h>\n"
    right = ["one {x 1}, and two\n3 ns\n", "one {x 1}, and\n  two\n3.5  ns"]
    wrong = ["", "one {x 1}, and two\n", "one {x 1}, and two\n3 ns\nmore\n", "one\n{x 1}, and two\n3 ns\n",
             "one {x 1}, and two\n3 ms\n", "one {x 2}, and two\n3 ns\n", "one {x 1}, and two\n ns\n"]
    here, elsewhere = "examples/01_hello.c", "docs/code/hello.c"
    for path in (here, elsewhere):
        assert all(offence(path, source, printed) is None for printed in right)
        assert all("does not print" in offence(path, source, printed) for printed in wrong)
    longest, longer = source + "\n" * (LONGEST - 5), source + "\n" * (LONGEST - 4)
    assert offence(here, longest, right[0]) is None
    assert "more than" in offence(here, longer, right[0])
    assert offence(elsewhere, longer, right[0]) is None
    assert "does not say" in offence(here, "// It prints nothing.\n", "")
    assert offence(elsewhere, "// It prints nothing.\n", "") is None
    source = source.replace("#", "// and on stderr\n//     x: no\n// or, in the checked build\n"
                            "//     …:3: x: no\n#")
    for errors, is_checked in (("x: no\n", False), ("one.c:3: x: no\n", True)):
        assert offence(here, source, right[0], errors, is_checked) is None
        assert "does not print" in offence(here, source, right[0], errors, not is_checked)
    print("Each offence is caught.")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    is_checked = sys.argv[1] == "--checked"
    path, *program = sys.argv[1 + is_checked:]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    run = subprocess.run(program, capture_output=True, text=True, timeout=240)
    if run.returncode:
        sys.exit(f"{run.stderr}{' '.join(program)} ended with {run.returncode}")
    wrong = offence(path, source, run.stdout, run.stderr, is_checked)
    if wrong:
        sys.exit(f"{path} {wrong}")
    print(f"{path} prints what it says" if any(promised(source)) else f"{path} runs")


if __name__ == "__main__":
    main()
