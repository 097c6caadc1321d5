#!/bin/sh
# Build the benchmarks by gcc and by clang, run both, print both tables. ROWS (a regular
# expression) and N choose a part.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh bench
tools/build.sh bench-clang
set --
[ -z "${ROWS:-}" ] || set -- "$@" --rows "$ROWS"
[ -z "${N:-}" ] || set -- "$@" --n "$N"

status=0
echo
echo "gcc $(gcc -dumpfullversion)"
build/bench/ilk_bench "$@" --csv build/bench/results.csv --svg build/bench/ratios.svg || status=1
echo
echo "clang $(clang -dumpversion)"
build/bench-clang/ilk_bench "$@" --csv build/bench/results-clang.csv \
    --svg build/bench/ratios-clang.svg || status=1
echo
echo "Written: build/bench/results.csv, results-clang.csv, ratios.svg, ratios-clang.svg"
exit $status
