#!/bin/sh
# Build the benchmarks by gcc and by clang, run both, print both tables. ROWS (a regular
# expression) and N choose a part. build/bench/results.csv has all of it, and what it was measured on.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh bench
tools/build.sh bench-clang
set --
[ -z "${ROWS:-}" ] || set -- "$@" --rows "$ROWS"
[ -z "${N:-}" ] || set -- "$@" --n "$N"

fact() { echo "# $1: $2"; }
flags() { grep -m1 '^  FLAGS = ' "$1/build.ninja" | tr ' ' '\n' | grep -E '^-(O|m|D)' | paste -sd ' '; }

facts() {
    fact machine "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors"
    fact system "$(uname -s) $(uname -m)"
    fact gcc "gcc $(gcc -dumpfullversion) $(flags build/bench)"
    fact clang "clang $(clang -dumpversion) $(flags build/bench-clang)"
    fact date "$(date -u +%Y-%m-%d)"
    fact rows "${ROWS:-all}"
    fact sizes "${N:-1000,100000,1000000}"
    echo compiler,workload,n,impl,unit,min,median,noisy
}

status=0
echo
echo "gcc $(gcc -dumpfullversion)"
build/bench/ilk_bench "$@" --csv build/bench/results-gcc.csv --svg build/bench/ratios.svg || status=1
echo
echo "clang $(clang -dumpversion)"
build/bench-clang/ilk_bench "$@" --csv build/bench/results-clang.csv \
    --svg build/bench/ratios-clang.svg || status=1
facts >build/bench/results.csv
for compiler in gcc clang; do
    sed "1d; s/^/$compiler,/" build/bench/results-$compiler.csv >>build/bench/results.csv
done
echo
echo "Written: build/bench/results.csv, ratios.svg, ratios-clang.svg"
exit $status
