#!/bin/sh
# Run the unit tests and a short model test under clang's coverage. Prints the totals of src/,
# writes build/coverage/html and build/coverage/uncovered.txt.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh coverage
folder=build/coverage
rm -rf "$folder/profiles" "$folder/html"
mkdir -p "$folder/profiles"
export LLVM_PROFILE_FILE="$folder/profiles/%p.profraw"

status=0
run() {
    "$@" >"$folder/log" 2>&1 || {
        cat "$folder/log"
        echo "Failed: $*"
        status=1
    }
}

objects=
for program in "$folder"/test/test_* "$folder"/test/model_test; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    objects="$objects -object $program"
    case "$program" in
        *model_test)
            run "$program" --ops 300000 --seed 1
            run "$program" --ops 1000 --seed 1 --fail-allocations
            ;;
        *) run "$program" ;;
    esac
done

llvm-profdata-19 merge -sparse "$folder"/profiles/*.profraw -o "$folder/all.profdata"
cover() {
    command=$1
    shift
    llvm-cov-19 "$command" "$@" -instr-profile="$folder/all.profdata" $objects \
        -sources $(find src -name '*.[ch]')
}
cover show -format=html -show-branches=count -show-mcdc -output-dir="$folder/html" >/dev/null
cover export >"$folder/coverage.json"
python3 tools/coverage_report.py "$folder/coverage.json" "$folder/uncovered.txt"
echo "Written: $folder/html/index.html, $folder/uncovered.txt"
exit $status
