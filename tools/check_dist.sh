#!/bin/sh
# Build a program from the two files of tools/dist.py alone, plain, checked and as a shared library,
# and see that its hashes are those of every other build: tools/check_dist.sh gcc|clang
set -eu
cd "$(dirname "$0")/.."
compiler=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. tools/packages.sh
. tools/flags.sh
case "$compiler" in
    gcc) cplusplus=g++ ;;
    clang) cplusplus=clang++ ;;
esac

# Away from the project, so that nothing else is found.
python3 tools/dist.py "$folder/vendor/ilk"
cp test/consumer/consumer.c test/golden/golden.c test/golden_support.h "$folder"
sed -i 's#"../golden_support.h"#"golden_support.h"#' "$folder/golden.c"
symbols=$PWD/tools/check_symbols.sh
cd "$folder"

for mode in PLAIN CHECKED; do
    echo '#include "vendor/ilk/ilk.h"' |
        $cplusplus -std=c++17 -Wall -Wextra -Wpedantic -Werror -DILK_$mode -fsyntax-only -x c++ -
done

# use <name> <what is linked> <flag>…: build the programs, and run them.
use() {
    name=$1 library=$2
    shift 2
    for program in consumer golden; do
        $compiler -std=c11 -Ivendor "$@" $program.c $library -pthread -o $program-$name
        LD_LIBRARY_PATH=. ./$program-$name
    done
}

$compiler $strict_flags -c vendor/ilk/ilk.c -o plain.o
$symbols plain.o
use plain plain.o

$compiler $strict_flags -DILK_CHECKED -c vendor/ilk/ilk.c -o checked.o
$symbols checked.o checked
use checked checked.o -DILK_CHECKED

$compiler $strict_flags -DILK_SHARED -fPIC -fvisibility=hidden -shared -pthread \
    vendor/ilk/ilk.c -o libilk.so
$symbols libilk.so
use shared libilk.so -DILK_SHARED
