#!/bin/sh
# Compile each source alone, so that each includes what it needs, in the plain and in the checked
# build: tools/check_sources.sh <compiler>
set -eu
cd "$(dirname "$0")/.."
compiler=$1
. tools/flags.sh

find src -name '*.c' | sort | while read -r source; do
    for mode in ILK_PLAIN ILK_CHECKED; do
        # What other files of the one-file build use looks unused here.
        $compiler $strict_flags -Wno-unused-function -Iinclude -D$mode -fsyntax-only "$source" || {
            echo "$source does not compile alone ($compiler, $mode)"
            exit 1
        }
    done
done
