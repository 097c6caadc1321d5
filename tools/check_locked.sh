#!/bin/sh
# See that every public function whose first argument is a world is tried on one that shows a
# snapshot: in test_snapshot_open_locked.c, as LOCKED or as one that ANSWERS.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '#include "ilk/ilk.h"' | gcc -E -P -x c -std=c11 -Iinclude -DILK_PLAIN - | tr '\n' ' ' |
    grep -o 'ilk_[a-z0-9_]*(\(const \)\{0,1\}ilk_world\* *[a-z]*[,)]' |
    sed 's/(.*//' | sort -u >"$folder/all"
tools/public_functions.sh | comm -12 - "$folder/all" >"$folder/public"
sed -n 's/^ *\(LOCKED\|ANSWERS\|ANSWERS_TOO\)(\(ilk_[a-z0-9_]*\),.*/\2/p' test/test_snapshot_open_locked.c |
    sort -u >"$folder/tried"

failed=0
report() {
    [ -z "$1" ] || { echo "$2:" $1; failed=1; }
}
report "$(comm -23 "$folder/public" "$folder/tried")" "not tried on an opened snapshot"
report "$(comm -13 "$folder/public" "$folder/tried")" "tried on an opened snapshot, but not public"
[ "$failed" = 0 ] && echo "Every verb of a world is tried on an opened snapshot."
exit "$failed"
