#!/bin/sh
# Configure the list of tests in a folder and run it: tools/run_suite.sh <folder> [-D…]
# JOBS says how many run at once, ONLY (a regular expression) which.
set -eu
cd "$(dirname "$0")/.."
folder=$1
shift
cmake -S test/suite -B "$folder" -DJOBS="${JOBS:-2}" "$@" >/dev/null
exec ctest --test-dir "$folder" -j "${JOBS:-2}" -R "${ONLY:-.}" --output-on-failure
