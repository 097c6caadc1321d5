#!/bin/sh
# See that hashes are the same for every compiler and optimisation that is there:
# tools/check_golden.sh. Other machines are asked by tools/check_elsewhere.sh.
set -eu
cd "$(dirname "$0")/.."
folder=build/golden
mkdir -p "$folder"
failed=0

for compiler in gcc clang; do
    for level in 0 3; do
        name=$compiler-O$level
        $compiler -std=c11 -Iinclude -O$level -o "$folder/$name" test/golden/golden.c src/ilk.c \
            -lpthread
        "$folder/$name" && echo "$name: the same" || { echo "$name: differs"; failed=1; }
    done
done
exit "$failed"
