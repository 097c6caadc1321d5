#!/bin/sh
# Play the game without a window: tools/check_game.sh <program>
# The world comes out the same for any number of workers and as test/golden/game.txt says, by whatever
# compiler; turning back time leads to the very world that was; pictures are written; a tape says how
# many fireflies there are, and what is none is refused.
# R003.34: a small game with moving sprites, a background and a user interface runs.
set -eu
cd "$(dirname "$0")/.."
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

# hash_of <option>…: of a run that must succeed.
hash_of() {
    "$program" --headless --agents 1500 "$@" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
    sed -n 's/^hash //p' "$folder/log"
}

golden=$(cat test/golden/game.txt)
for workers in 0 1 2 4; do
    hash=$(hash_of --frames 900 --workers $workers)
    [ "$hash" = "$golden" ] || fail "With $workers workers the hash is $hash, and not $golden."
done

# After 300 frames, fifty of two frames each go back to the two hundredth.
printf '0\n10 start\n14 right\n301 rewind\n' >"$folder/tape"
there=$(hash_of --play "$folder/tape" --frames 200)
later=$(hash_of --play "$folder/tape" --frames 300)
back=$(hash_of --play "$folder/tape" --frames 350)
[ "$there" != "$later" ] || fail "Nothing happened in a hundred frames."
[ "$there" = "$back" ] || fail "Turning back time led to $back, and not to $there."

# Drawing leaves the world as it is.
drawn=$(hash_of --frames 900 --every 150 --out "$folder/pictures")
[ "$drawn" = "$golden" ] || fail "With pictures the hash is $drawn, and not $golden."
[ "$(ls "$folder/pictures" | wc -l)" = 6 ] || fail "There are not six pictures."
python3 tools/check_png.py 640 360 "$folder"/pictures/*.png
[ "$(sed -n 's/ pictures are in .*//p' "$folder/log")" = 6 ] || fail "It does not say where pictures are."

# As many fireflies as the tape says, if nobody says otherwise; none are fewer than one.
entities_with() {
    "$program" --headless --frames 100 "$@" | sed -n 's/.*title, \([0-9]*\) entities.*/\1/p'
}
printf 'agents 7\n' >"$folder/tape"
none=$(entities_with --agents 0)
[ "$(entities_with --agents 1)" = $((none + 1)) ] || fail "Without fireflies there are $none entities."
[ "$(entities_with --play "$folder/tape")" = $((none + 7)) ] || fail "A tape does not say how many."

# refused <words> <tape>: with a sentence, and nothing is left behind.
refused() {
    status=0
    valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
        "$program" --headless --play "$2" >"$folder/log" 2>&1 || status=$?
    [ $status = 2 ] || fail "$2 ends with $status: $(cat "$folder/log")"
    grep -q "$1" "$folder/log" || fail "$(cat "$folder/log")"
}
printf 'agents 10\n5 start\n5 start\n' >"$folder/tape"
refused 'Line 3 of the tape' "$folder/tape"
printf 'agents 4294967295\n' >"$folder/tape"
refused 'Line 1 of the tape' "$folder/tape"
refused 'directory' "$folder/pictures"
refused 'too large' /dev/zero
if "$program" --headless --record "$folder/nothing" >"$folder/log" 2>&1; then
    fail "Something is recorded without a window."
fi
refused 'error' /proc/self/mem
