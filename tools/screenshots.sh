#!/bin/sh
# Make the pictures of docs/game.md anew: tools/screenshots.sh [program]
# ImageMagick brings them down to 128 colors, a third of their size.
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/run/game/ilk_game}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shot <frame> <name>: that frame of the demonstration.
shot() {
    "$program" --headless --frames "$1" --every "$1" --out "$folder" >/dev/null
    convert "$(printf '%s/frame-%05u.png' "$folder" "$1")" -strip -colors 128 \
        "PNG8:docs/pictures/$2.png"
}

mkdir -p docs/pictures
shot 150 game-title
shot 430 game-play
shot 670 game-rewind
ls -l docs/pictures
