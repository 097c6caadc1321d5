#!/bin/sh
# See that hashes are the same for every compiler and optimisation that is there, with 32 bits, and
# on a machine that has the highest byte first, which qemu plays: tools/check_golden.sh
set -eu
cd "$(dirname "$0")/.."
folder=build/golden
mkdir -p "$folder"
failed=0

# check <name> <what runs it, or ""> <compiler and flags>…
check() {
    name=$1 runner=$2
    shift 2
    "$@" -std=c11 -Iinclude -o "$folder/$name" test/golden/golden.c src/ilk.c -lpthread
    $runner "$folder/$name" && echo "$name: the same" || { echo "$name: differs"; failed=1; }
}

for compiler in gcc clang; do
    check "$compiler-O0" '' $compiler -O0
    check "$compiler-O3" '' $compiler -O3
done
[ "$(uname -m)" != x86_64 ] || check gcc-m32 '' gcc -O2 -m32
# (Debian's gcc for it and the one for 32 bits are not to be had together.)
for level in 0 3; do
    check "s390x-O$level" qemu-s390x clang --target=s390x-linux-gnu -O$level -static
done
exit "$failed"
