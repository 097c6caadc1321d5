#!/bin/sh
# List the functions and variables that the public headers declare, sorted, or those that one header
# of an addon adds: tools/public_functions.sh [plain|checked] [header]
set -eu
cd "$(dirname "$0")/.."
mode=ILK_PLAIN
[ "${1:-}" != checked ] || mode=ILK_CHECKED

# The preprocessor joins nothing, so a declaration may go over several lines; its name is the word
# before the first parenthesis or semicolon after ILK_API.
declared() {
    printf '#include "%s"\n' "$@" | gcc -E -P -x c -std=c11 -I. -Iinclude -D$mode - |
        tr '\n' ' ' |
        grep -o '__attribute__((visibility("default")))[^(;]*[(;]' |
        sed 's/.*[ *]\(ilki\{0,1\}_[a-z0-9_]*\)[(;]$/\1/' | sort -u
}

if [ -n "${2:-}" ]; then
    { declared ilk/ilk.h; declared ilk/ilk.h "$2"; } | sort | uniq -u
else
    declared ilk/ilk.h
fi
