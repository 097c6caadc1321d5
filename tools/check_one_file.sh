#!/bin/sh
# Build the library by the one command of the README, and see that it defines every public
# function, and no name that does not start with ilk: tools/check_one_file.sh <compiler>
set -eu
cd "$(dirname "$0")/.."
compiler=$1
folder=build/one_file/$compiler
mkdir -p "$folder"

$compiler -std=c11 -O2 -Iinclude -Wall -Wextra -Wpedantic -Werror -c src/ilk.c -o "$folder/ilk.o"

nm --defined-only --extern-only "$folder/ilk.o" | awk '{ print $3 }' | sort >"$folder/defined"
tools/public_functions.sh >"$folder/public"

if grep -v '^ilki\{0,1\}_' "$folder/defined"; then
    echo "These names do not start with ilk_ or ilki_."
    exit 1
fi
if comm -13 "$folder/defined" "$folder/public" | grep .; then
    echo "These functions are declared but not defined."
    exit 1
fi
