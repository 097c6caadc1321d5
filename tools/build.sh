#!/bin/sh
# Configure and build presets: tools/build.sh <preset>…
set -eu
cd "$(dirname "$0")/.."
for preset in "$@"; do
    cmake --preset "$preset" >/dev/null
    cmake --build "build/$preset" -j "${JOBS:-2}" -- -k 0
done
