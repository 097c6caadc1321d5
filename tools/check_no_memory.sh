#!/bin/sh
# See that every public function is in one of the tables of test_no_memory*.c and test_needs_none.c,
# those that may fail for want of memory and those that never do, and in only one of them.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# (What ends with _type is no function.)
tools/public_functions.sh | grep '^ilk_' | grep -v '_type$' >"$folder/public"
names_in() {
    sed -n "s/^ *\($1\)(\(ilk_[a-z0-9_]*\),.*/\2/p" $2 | sort -u
}
names_in 'MAY_FAIL' 'test/test_no_memory*.c' >"$folder/needy"
names_in 'NEEDS_NONE\|DOES_WITHOUT' test/test_needs_none.c >"$folder/frugal"
sort -u "$folder/needy" "$folder/frugal" >"$folder/listed"

failed=0
report() {
    [ -z "$1" ] || { echo "$2:" $1; failed=1; }
}
report "$(comm -23 "$folder/public" "$folder/listed")" "in no table of what needs memory"
report "$(comm -13 "$folder/public" "$folder/listed")" "in a table, but not public"
report "$(comm -12 "$folder/needy" "$folder/frugal")" "in both tables"
[ "$failed" = 0 ] && echo "Every public function is tried without memory."
exit "$failed"
