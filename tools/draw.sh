#!/bin/sh
# Draw the pictures of the docs anew, into docs/pictures; with --check only say which are not as they
# would be drawn: tools/draw.sh [--check]
set -eu
cd "$(dirname "$0")/.."
folder=docs/pictures
[ "${1:-}" != --check ] || folder=build/pictures
mkdir -p build "$folder"
gcc -std=c11 -O1 -Iinclude -Isrc -Iaddons/space/include tools/draw_space.c src/ilk.c addons/space/*.c \
    -o build/draw_space -lpthread -lm
build/draw_space "$folder"
python3 tools/draw_docs.py "$folder"
if [ "${1:-}" != --check ]; then
    echo "Drawn: $(echo "$folder"/*.svg)"
elif diff -rq -x "*.png" docs/pictures "$folder"; then
    echo "The pictures are as they are drawn."
else
    echo "tools/draw.sh draws them anew."
    exit 1
fi
