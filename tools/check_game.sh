#!/bin/sh
# Play the game without a window: tools/check_game.sh <program>
# The world comes out the same for any number of workers and as test/golden/game.txt says, by whatever
# compiler; turning back time leads to the very world that was; and pictures are written.
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
