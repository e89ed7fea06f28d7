#!/usr/bin/env bash
# sennit deadlock on C programs: results of cycles, exit codes, notes.
# Usage: tests/deadlock/c.sh SENNIT [--long]      --long: up to twelve philosophers, and how long
#        the exploration without direction takes to the first deadlock
set -uo pipefail
sennit=$(realpath "$1")
programs=$(cd "$(dirname "$0")/c" && pwd)
long=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$programs"/*.c .
failures=0

# check EXPECTED_STATUS EXPECTED_RESULTS ARGUMENTS...: results of all cycles, sorted
check() {
    local expected=$1 results=$2 status=0 found
    shift 2
    timeout 120 "$sennit" deadlock --color=never -o run "$@" >out 2>err || status=$?
    found=$(python3 -c "import json; print(' '.join(sorted(cycle['result'] for cycle in json.load(open('run/run.json'))['cycles'])))" 2>/dev/null)
    if [ "$status" != "$expected" ] || [ "$found" != "$results" ]; then
        echo "FAIL: $*: exit code $status with \"$found\", expected $expected with \"$results\""
        cat out err
        failures=1
    fi
    [ -z "$long" ] || echo "$*: $(python3 -c "import json; run = json.load(open('run/run.json')); print('%d executions, %.0f ms CPU' % (run['executions'], 1000 * run['cpu_seconds']))")"
    rm -rf run
}

has() {
    grep -qF -- "$1" out || { echo "FAIL: no \"$1\""; cat out; failures=1; }
}

sizes="3 5 8"
[ -z "$long" ] || sizes="3 4 5 6 7 8 9 10 11 12"
for n in $sizes; do
    check 1 confirmed philosophers.c -DN=$n
    if [ -n "$long" ]; then
        timeout 300 "$sennit" test philosophers.c -DN=$n -q -o plain >/dev/null 2>&1
        python3 -c "import json; run = json.load(open('plain/run.json')); print('  without direction: %d executions, %.0f ms CPU' % (run['executions'], 1000 * run['cpu_seconds']))"
        rm -rf plain
    fi
done
check 0 discarded philosophers.c -DN=3 -DGATED
has 'always under waiter'
check 0 '' philosophers.c -DN=3 -DORDERED
has 'free of deadlock'
check 0 discarded relay.c
has 'its parts never happen at the same time'
check 0 discarded flag.c
check 1 '' signal.c
has 'condition variables, semaphores and barriers: only what the explored schedules show'
exit $failures
