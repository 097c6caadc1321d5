#!/usr/bin/env python3
"""Check that the snippets of test/must_not_compile are refused, for the right reason.

Each compiles with -DCORRECT. Without, the compiler refuses it, and its message has the words
that the snippet gives in lines like `// gcc: discards 'const'` or, for all compilers, `// all: …`.

A compiler of C++ is given those of the C++ header.

usage: check_must_not_compile.py gcc|clang|g++|clang++
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def strict_flags():
    text = (ROOT / "tools/flags.sh").read_text(encoding="utf-8")
    return re.search(r"strict_flags='([^']*)'", text)[1].split()


def is_cpp(compiler):
    return compiler.endswith("++")


def compile_snippet(compiler, snippet, *flags):
    strict = strict_flags()
    if is_cpp(compiler):
        for_c = ("-std=c11", "-Wstrict-prototypes", "-Wmissing-prototypes")
        strict = ["-std=c++17", *(flag for flag in strict if flag not in for_c)]
    includes = [f"-I{ROOT}/include", f"-I{ROOT}/bindings/cpp/include"]
    command = [compiler, *strict, *includes, "-fsyntax-only", *flags, snippet]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})


def offences(compiler, snippet):
    name = snippet.relative_to(ROOT)
    words = re.findall(rf"^// (?:all|{re.escape(compiler)}): (.+)$", snippet.read_text(encoding="utf-8"), re.M)
    if not words:
        yield f"{name}: gives no words to expect of {compiler}"
    right = compile_snippet(compiler, snippet, "-DCORRECT")
    if right.returncode != 0:
        yield f"{name}: the correct form does not compile\n{right.stderr}"
    wrong = compile_snippet(compiler, snippet)
    if wrong.returncode == 0:
        yield f"{name}: the wrong form compiles"
    for word in words:
        if word not in wrong.stderr:
            yield f"{name}: the message does not say: {word}\n{wrong.stderr}"


def main():
    compiler = sys.argv[1]
    snippets = sorted((ROOT / "test/must_not_compile").glob("*.cpp" if is_cpp(compiler) else "*.c"))
    found = [o for snippet in snippets for o in offences(compiler, snippet)]
    print("\n".join(found) if found else f"{len(snippets)} snippets are refused as they should be.")
    return 1 if found or not snippets else 0


if __name__ == "__main__":
    sys.exit(main())
