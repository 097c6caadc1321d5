#!/bin/sh
# Configure and build a preset, all of it or some targets: tools/build.sh <preset> [target]…
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset" -j "${JOBS:-2}" --target "${@:-all}" -- -k 0
