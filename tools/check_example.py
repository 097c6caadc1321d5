#!/usr/bin/env python3
"""Runs an example and compares what it prints with what the comment at its top says that it prints.

    check_example.py examples/hello.c build/gcc-release/examples/hello
    check_example.py examples/hello.c qemu-aarch64 build/hello

The lines of that comment that are indented by five spaces are the output. One that is indented
further goes on with the line before it. Without such lines, the program is only run.
"""
import re
import subprocess
import sys


def promised(source):
    lines = []
    for line in source.split("\n"):
        if not line.startswith("//"):
            break
        text = re.match(r"//     ( *)(\S.*)$", line)
        if text and text.group(1) and lines:
            lines[-1] += " " + text.group(2)
        elif text:
            lines.append(text.group(2))
    return lines


def main():
    source, program = sys.argv[1], sys.argv[2:]
    with open(source, encoding="utf-8") as file:
        expected = promised(file.read())
    run = subprocess.run(program, stdout=subprocess.PIPE, text=True, timeout=240)
    if run.returncode:
        sys.exit(f"{' '.join(program)} ended with {run.returncode}")
    printed = run.stdout.rstrip("\n").split("\n")
    if expected and printed != expected:
        print("says that it prints", *expected, "prints", *printed, sep="\n    ")
        sys.exit(f"{source} does not print what it says")
    print(f"{source} prints what it says" if expected else f"{source} runs")


if __name__ == "__main__":
    main()
