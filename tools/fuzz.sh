#!/bin/sh
# Run the fuzzer for some seconds; what it finds stays in build/fuzz: tools/fuzz.sh <seconds>
# A finding replays with build/fuzz/test/fuzz_model <file>.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh fuzz
mkdir -p build/fuzz/corpus build/fuzz/findings
exec build/fuzz/test/fuzz_model -max_total_time="$1" -max_len=4096 -print_final_stats=1 \
    -verbosity=1 -artifact_prefix=build/fuzz/findings/ build/fuzz/corpus
