#!/usr/bin/env bash
# Leaves one part of the state out at a time and sees that the oracle misses final states.
#
# Usage: tests/actors/parts.sh ACTOR_ORACLE
set -uo pipefail
oracle=$1 failed=0

while read -r part from to; do
    seen=$("$oracle" --states --without "$part" "$from" "$to")
    if [[ ! $seen =~ \ [1-9][0-9]*\ mismatches ]]; then
        echo "without $part the seeds $from to $to are explored as with it"
        failed=1
    fi
done <<'PARTS'
globals 0 12
heap 19 20
stack 31 32
errno 7 9
mail 6 7
bytes 52 53
tag 471 472
timeouts 102 103
spent 1301 1302
order 6 7
PARTS
exit $failed
