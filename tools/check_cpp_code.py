#!/usr/bin/env python3
"""Check that ilk.hpp costs nothing: what is written with it becomes the machine code that C becomes.

test/cpp/code has the same functions in C and in C++. Of each, the innermost loops are taken out of
the disassembly: what lies between a jump back and where it leads, with no such loop and no call
inside; of the verbs, which have no loop, all of it. They must be the same instructions in number and
kind (which registers they use, and in which order they stand, is the compiler's affair). Other
architectures than x86_64 are passed over.

usage: check_cpp_code.py gcc|clang [--show] | --self-test
"""
import platform
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ROOT / "test/cpp/code"
SEPARATE = {"gcc": ["-fno-ipa-icf"], "clang": []}  # so that functions that are alike are not one
STRAIGHT = ("get", "edit", "has")  # they jump back, too, but only to a common end
SYSTEM = "ilk::system<"  # what a system runs is behind a lambda of the header


def compile_loops(compiler, level, language):
    """The disassembly of the C or the C++ file."""
    c = language == "c"
    target = ROOT / f"build/cpp/code/{compiler}{level}.{language}.o"
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [compiler if c else {"gcc": "g++", "clang": "clang++"}[compiler],
               "-std=c11" if c else "-std=c++17", level, *SEPARATE[compiler], f"-I{ROOT}/include",
               f"-I{ROOT}/bindings/cpp/include", "-c", CODE / f"loops.{language}", "-o", target]
    subprocess.run(command, check=True)
    dump = ["objdump", "-d", "-C", "--no-show-raw-insn", target]
    return subprocess.run(dump, check=True, capture_output=True, text=True).stdout


def functions(disassembly):
    """Name and instructions, of (address, text), of each function."""
    found = {}
    for line in disassembly.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if head:
            found[head[1]] = body = []
        row = re.match(r" *([0-9a-f]+):\t(\S.*)$", line)
        if row:
            body.append((int(row[1], 16), row[2].split(" <")[0].split(" #")[0].strip()))
    return found


def jump_target(text):
    match = re.match(r"j[a-z]+ +([0-9a-f]+)$", text)
    return int(match[1], 16) if match else None


def innermost_loops(body):
    spans = sorted({(jump_target(text), address) for address, text in body
                    if jump_target(text) is not None and body[0][0] <= jump_target(text) < address})
    inner = [s for s in spans
             if not any(o != s and s[0] <= o[0] and o[1] <= s[1] for o in spans)]
    loops = [[text for address, text in body if first <= address <= last] for first, last in inner]
    return [loop for loop in loops if not any(text.startswith("call") for text in loop)]


def kinds(instructions):
    """How often there is each kind of instruction, without those that only fill up."""
    names = [text.split()[0] for text in instructions]
    return Counter(name for name in names if not name.startswith(("nop", "data16", "cs", "xchg")))


def parts_by_name(disassembly):
    """The loops of each function, or all of it; the lambda of a system has no other name."""
    result = {}
    for name, body in functions(disassembly).items():
        loops = innermost_loops(body)
        if name in STRAIGHT:
            result[name] = [kinds(text for _, text in body)]
        elif loops:
            result["system" if SYSTEM in name else name] = [kinds(loop) for loop in loops]
    return result


def compare(in_c, in_cpp):
    """What differs; and a line for each comparison."""
    offences, lines = [], []
    for name, parts in in_cpp.items():
        base = name.split("_")[0]
        expected = in_c.get(base)
        lines.append(f"{name}: {' and '.join(str(sum(part.values())) for part in parts)} instructions")
        if parts != expected:
            offences.append(f"{name} differs from C's {base}:\n  C   {expected}\n  C++ {parts}")
    for name in in_c.keys() - {name.split("_")[0] for name in in_cpp}:
        offences.append(f"C++ has nothing to compare with C's {name}")
    return offences, lines


def check(compiler, show):
    offences = []
    for level in ("-O2", "-O3"):
        in_c, in_cpp = (parts_by_name(compile_loops(compiler, level, x)) for x in ("c", "cpp"))
        found, lines = compare(in_c, in_cpp)
        offences += [f"{compiler} {level}: {offence}" for offence in found]
        if show:
            print(f"{compiler} {level}", *lines, sep="\n    ")
        if not in_c:
            offences.append(f"{compiler} {level}: there is nothing in the C file")
    print("\n".join(offences) if offences else f"{compiler}: the code is the same at -O2 and -O3.")
    return 1 if offences else 0


def self_test():
    """A loop with one instruction more or another one, or none at all, is seen."""
    text = "0 <move>:\n 0:\tmov (%rax),%ecx\n 3:\tadd %ecx,%edx\n 5:\tjne 0 <move>\n 7:\tret\n"
    same = text.replace("rax", "r14").replace("ecx", "r9d").replace("move", "move_each")
    more = same.replace(" 5:", " 4:\tinc %eax\n 5:")
    other = same.replace("add", "sub")
    results = [bool(compare(parts_by_name(text), parts_by_name(x))[0])
               for x in (same, more, other, "")]
    print("self-test:", results)
    return 0 if results == [False, True, True, True] else 1


def main():
    if "--self-test" in sys.argv:
        return self_test()
    if platform.machine() != "x86_64":
        print("Only compared on x86_64.")
        return 0
    return check(sys.argv[1], "--show" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
