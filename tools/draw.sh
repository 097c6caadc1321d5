#!/bin/sh
# Draw the pictures of the docs anew: tools/draw.sh
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
gcc -std=c11 -O1 -Iinclude -Isrc -Iaddons/space/include tools/draw_space.c src/ilk.c addons/space/*.c \
    -o build/draw_space -lpthread -lm
build/draw_space
echo "Drawn: docs/space-grid.svg, docs/space-tree.svg"
