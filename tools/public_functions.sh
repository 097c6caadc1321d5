#!/bin/sh
# List the functions and variables that the public headers declare, sorted: tools/public_functions.sh [checked]
set -eu
cd "$(dirname "$0")/.."
mode=ILK_PLAIN
[ "${1:-}" != checked ] || mode=ILK_CHECKED

# The preprocessor joins nothing, so a declaration may go over several lines; its name is the word
# before the first parenthesis or semicolon after ILK_API.
echo '#include "ilk/ilk.h"' | gcc -E -P -x c -std=c11 -Iinclude -D$mode - |
    tr '\n' ' ' |
    grep -o '__attribute__((visibility("default")))[^(;]*[(;]' |
    sed 's/.*[ *]\(ilki\{0,1\}_[a-z0-9_]*\)[(;]$/\1/' | sort -u
