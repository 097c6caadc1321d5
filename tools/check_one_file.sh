#!/bin/sh
# Build the library by the one command of the README, and see that it defines every public
# function, and no name that does not start with ilk: tools/check_one_file.sh <compiler>
set -eu
cd "$(dirname "$0")/.."
compiler=$1
folder=build/one_file/$compiler
mkdir -p "$folder"

$compiler -std=c11 -O2 -Iinclude -Wall -Wextra -Wpedantic -Werror -c src/ilk.c -o "$folder/ilk.o"
tools/check_symbols.sh "$folder/ilk.o"
