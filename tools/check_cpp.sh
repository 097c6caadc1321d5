#!/bin/sh
# Build the test of the C++ header in each way that it is made for, with sanitizers, and run it; and
# what docs/cpp.md is cut from: tools/check_cpp.sh g++|clang++
set -eu
cd "$(dirname "$0")/.."
compiler=$1
case "$compiler" in
    clang++) c_compiler=clang ;;
    *) c_compiler=gcc ;;
esac
folder=build/cpp/$compiler
mkdir -p "$folder"
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
includes='-Iinclude -Ibindings/cpp/include -Itest/cpp'
sanitizers='-g -fsanitize=address,undefined -fno-sanitize-recover=all'

# A header must compile alone, and twice.
for header in bindings/cpp/include/ilk/*.hpp; do
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        $compiler -std=c++17 $warnings $includes -I. -x c++ -fsyntax-only -
done

# build_c <name> <flags>: the library, and the C file that the test shares its types with.
build_c() {
    name=$1
    shift
    $c_compiler -std=c11 -O0 $sanitizers "$@" $includes -c src/ilk.c -o "$folder/ilk.$name.o"
    $c_compiler -std=c11 $warnings $sanitizers "$@" $includes -c test/cpp/c_side.c \
        -o "$folder/c_side.$name.o"
}

# run <name of the C build> <flags>: the test, built with them.
run() {
    name=$1
    shift
    $compiler $warnings $sanitizers "$@" $includes test/cpp/*.cpp "$folder/c_side.$name.o" \
        "$folder/ilk.$name.o" -lpthread -o "$folder/test"
    printf '%s: ' "$*"
    UBSAN_OPTIONS=print_stacktrace=1 "$folder/test"
}

build_c plain
build_c checked -DILK_CHECKED
run plain -std=c++17
run plain -std=c++20
run plain -std=c++17 -fno-exceptions -fno-rtti
run checked -std=c++17 -DILK_CHECKED

for example in bindings/cpp/example.cpp docs/code/cpp.cpp; do
    $compiler -std=c++17 $warnings $sanitizers $includes $example "$folder/ilk.plain.o" \
        -lpthread -o "$folder/example"
    python3 tools/check_example.py $example "$folder/example"
done
