#!/usr/bin/env bash
# sennit deadlock on C programs: results of cycles, exit codes, notes.
# Usage: tests/deadlock/c.sh SENNIT [--long]      --long: also the programs of tests/bugs/deadlock and their
#        repaired twins
set -uo pipefail
sennit=$(realpath "$1")
programs=$(cd "$(dirname "$0")/c" && pwd)
long=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$programs"/*.[ch] .
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
    known=$(python3 -c "import json; print(' '.join(sorted(cycle['source'] for cycle in json.load(open('run/run.json'))['cycles'])))" 2>/dev/null)
    rm -rf run
}

# sources NAME: who knows the cycles
sources() {
    [ "$known" = "$1" ] || { echo "FAIL: cycles known from \"$known\", expected \"$1\""; failures=1; }
}

has() {
    grep -qF -- "$1" out || { echo "FAIL: no \"$1\""; cat out; failures=1; }
}

for n in 3 8; do
    check 1 confirmed philosophers.c -DN=$n
done
check 0 discarded philosophers.c -DN=3 -DGATED
has 'guarded by waiter'
check 0 '' philosophers.c -DN=3 -DORDERED
has 'free of deadlock'
check 0 discarded relay.c
has 'its waits never happen at the same time'
check 0 discarded flag.c
has 'every schedule was explored'
check 1 '' signal.c
has 'condition variables, semaphores, barriers and other waits: only as seen in the explored schedules'

# What is no lock, and code that runs before or after main, keep the analysis from a proof: the search goes on.
for where in FUTEX POLL EVENT LOOP ON_EXIT QUICK DESTRUCTOR; do
    check 1 '' waits.c -D$where
done

# Cycles that no run shows: a rare schedule, a rare input.
for program in rare input; do
    check 1 confirmed $program.c
    sources code
done
# Two files, locks on the heap; a program that was built before.
check 1 confirmed transfer.c accounts.c
check 0 '' transfer.c accounts.c -DORDERED
has 'free of deadlock for every schedule and input: the static analysis finds no cycle'
"$sennit" cc -c transfer.c && "$sennit" cc -c accounts.c && "$sennit" cc transfer.o accounts.o -o transfer || failures=1
check 1 confirmed transfer
check 2 '' transfer flag.c
# Locks that do not simply wait.
check 0 '' kinds.c -DTRY
check 0 '' kinds.c -DTIMED
check 0 '' kinds.c -DREADERS
check 1 confirmed kinds.c -DWRITERS
check 0 discarded kinds.c -DRECURSIVE
# Several cycles at a time; cycles at the same places are told apart by their locks.
check 1 'confirmed confirmed confirmed confirmed' pairs.c -j 2
check 1 'confirmed confirmed confirmed' pairs.c -DSAFE=2 -j 2
check 1 'confirmed unchecked unchecked unchecked' pairs.c --search=first -j 1
# What a data race decides is explored too.
check 1 confirmed race.c

for program in "$programs"/../../bugs/deadlock/*.c; do
    [ -n "$long" ] || break
    for way in "" -DFIXED; do
        status=0
        timeout 120 "$sennit" deadlock "$program" $way -q -o run >out 2>err || status=$?
        [ "$status" = "$([ "$way" ] && echo 0 || echo 1)" ] || { echo "FAIL: $program $way: exit code $status"; cat out err; failures=1; }
        rm -rf run
    done
done
exit $failures
