#!/bin/sh
# Run a fuzzer for some seconds; what it finds stays in build/fuzz: tools/fuzz.sh <seconds> [target]
# Targets: model (operations on worlds), expression (the text of conditions), replay (recordings),
# delta (what makes one snapshot another). A finding replays with build/fuzz/test/fuzz_<target> <file>.
set -eu
cd "$(dirname "$0")/.."
target=${2:-model}
tools/build.sh fuzz
mkdir -p "build/fuzz/corpus/$target" build/fuzz/findings
exec "build/fuzz/test/fuzz_$target" -max_total_time="$1" -max_len=4096 -print_final_stats=1 \
    -verbosity=1 -artifact_prefix=build/fuzz/findings/ "build/fuzz/corpus/$target"
