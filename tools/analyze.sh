#!/bin/sh
# Let gcc's analyzer look for leaks, double frees and use after free in each source file:
# tools/analyze.sh
# What it says of NULL and of bytes never written is left to the sanitizers and to valgrind: it sees
# one file at a time, not what the callers in others have made sure of.
set -eu
cd "$(dirname "$0")/.."
failed=0
for file in src/*/*.c addons/space/*.c; do
    gcc -std=c11 -O1 -fanalyzer -Werror -Wno-analyzer-null-dereference -Wno-analyzer-null-argument \
        -Wno-analyzer-use-of-uninitialized-value -Iinclude -Isrc \
        -Iaddons/space/include -c "$file" -o /dev/null || failed=1
done
exit "$failed"
