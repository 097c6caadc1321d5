#!/bin/sh
# The model test on several processors at once: tools/model.sh <program> <operations> <seed> <processes>
# Each process has a share of the operations and a seed of its own. Fails if one of them does.
set -eu
program=$1 operations=$2 seed=$3 processes=$4
running=
for i in $(seq 0 $((processes - 1))); do
    "$program" --ops $((operations / processes)) --seed $((seed + i)) --worlds small &
    running="$running $!"
done
failed=0
for process in $running; do wait "$process" || failed=1; done
exit $failed
