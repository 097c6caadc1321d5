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
cp test/consumer/consumer.c test/golden/golden.c test/golden_support.h bindings/cpp/example.cpp "$folder"
cp -r bindings/cpp/include "$folder/cpp"
sed -i 's#"../golden_support.h"#"golden_support.h"#' "$folder/golden.c"
tools=$PWD/tools
symbols=$tools/check_symbols.sh
cd "$folder"

# use <name> <what is linked> <flag>…: build the programs, in C and in C++, and run them.
use() {
    name=$1 library=$2
    shift 2
    for program in consumer golden; do
        $compiler -std=c11 -Ivendor "$@" $program.c $library -pthread -o $program-$name
        LD_LIBRARY_PATH=. ./$program-$name
    done
    $cplusplus -std=c++17 -Wall -Wextra -Wpedantic -Werror -Ivendor -Icpp "$@" example.cpp $library \
        -pthread -o example-$name
    LD_LIBRARY_PATH=. python3 "$tools/check_example.py" example.cpp ./example-$name
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
