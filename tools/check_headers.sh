#!/bin/sh
# Compile each public header alone, as C or as C++, plain and checked:
# tools/check_headers.sh gcc|clang|g++|clang++
set -eu
cd "$(dirname "$0")/.."
compiler=$1
case "$compiler" in
    *++) language='-x c++ -std=c++11' ;;
    *) language='-x c -std=c11' ;;
esac

for header in include/ilk/*.h addons/*/include/ilk/*.h; do
    for mode in ILK_PLAIN ILK_CHECKED; do
        # Included, not compiled itself, and twice: a header must guard itself.
        printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
            $compiler $language -Wall -Wextra -Wpedantic -Werror -I. -Iinclude -D$mode -fsyntax-only - || {
            echo "$header does not compile alone ($compiler, $mode)"
            exit 1
        }
    done
done
