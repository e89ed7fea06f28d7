#!/usr/bin/env bash
# Leaves one part of the state out at a time and sees that something is missed: what is reached, or a bug.
#
# Usage: tests/states/parts.sh SENNIT
#
# The part is left out by the program itself, which is linked with a runtime whose variables can be seen.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) build=$(cd "$(dirname "$1")" && pwd)
work=$(mktemp -d) failed=0
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/tool/lib"
cp "$build"/sennit "$build"/sennit-instr "$work/tool"
cp "$build"/lib/{libsennit-inert.a,sennit-linker} "$work/tool/lib"
ln -s "$here/../../include" "$work/tool/include"
objcopy --globalize-symbol=rt "$build/lib/sennit-rt.o" "$work/tool/lib/sennit-rt.o"
cd "$work" || exit 1
tool/sennit cc --states -O2 -w -I "$here/../../src" -I "$here/../../include" "$here/parts.c" -o parts || exit 1

# What is found without the parts that are named.
found() { # case flag parts...
    tool/sennit explore -q -k --reduction=states -o run "$2" ./parts -- "$1" "${@:3}" >log 2>&1
    jq -c '[.goals, ([.bugs[].kind] | unique), (.verdict | startswith("exhaustive"))]' run/run.json || cat log
}

while read -r name part flag; do
    part=${part:-$name} flag=${flag:---channels=bag}
    all=$(found "$name" "$flag") less=$(found "$name" "$flag" "$part")
    if [[ $all != *true\] ]] || [[ $all = "$less" ]]; then
        echo "$name: with all parts $all, without $part $less"
        failed=1
    fi
done <<'CASES'
globals
heap
stack
error errno
call
segment
locks
kind
depth
readers
destroyed
queue
semaphores
rounds
result
joined
detached
ends
links
timers
durable
restart
daemon
sender
stand
last
known known --channels=causal
CASES
exit $failed
