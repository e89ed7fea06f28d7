#!/usr/bin/env bash
# A search that is interrupted again and again ends with exactly the right count.
#     resume.sh SENNIT [INTERRUPTIONS]
set -u
sennit=$(realpath "$1")
interruptions=${2:-50}
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../bench/programs
work=$(mktemp -d)
# A child that gets a signal before it has become another program would do it too.
trap '[ $BASHPID != $$ ] || rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# interrupt SIGNAL COMMAND...: sends the signal when a random moment has passed; answers the exit code.
interrupt() {
    local signal=$1 pid
    shift
    "$@" >out 2>err &
    pid=$!
    sleep "0.0$((RANDOM % 9 + 1))"
    kill "-$signal" $pid 2>/dev/null
    wait $pid 2>/dev/null
}

"$sennit" cc -I"$programs" -DN=4 "$programs/fib_bench.c" -o fib4 || exit 1
"$sennit" cc -I"$programs" -DN=5 "$programs/fib_bench.c" -o fib5 || exit 1

# search JOBS: until it is over; at least so many interruptions, over as many searches as it takes.
done_so_far=0
search() {
    rm -rf run
    interrupt INT "$sennit" explore -q -j "$1" -o run ./fib5
    local code=$? signals=(INT TERM INT HUP)
    [ $code -gt 128 ] && [ ! -e run/run.json ] && [ ! -e run/checkpoint ] && return # it had not begun
    while [ -f run/checkpoint/search ]; do
        done_so_far=$((done_so_far + 1))
        case $code in
        130) grep -q "checkpoint written; resume with: sennit resume" err || fail "no word on how to go on: $(cat err)" ;;
        129 | 143) ;; # it had not begun
        *) fail "an interrupted search ended with $code: $(cat err)" ;;
        esac
        interrupt "${signals[$((RANDOM % 4))]}" "$sennit" resume -q run
        code=$?
    done
    [ $code = 0 ] || fail "the search ended with $code: $(cat out err)"
    [ "$(jq -r '"\(.executions) \(.redundant) \(.verdict)"' run/run.json)" = "218243 0 exhaustive" ] ||
        fail "wrong result with -j $1: $(jq -c '[.executions, .redundant, .verdict]' run/run.json)"
}

jobs=(1 2 4)
for ((round = 0; done_so_far < interruptions && round < 40; round++)); do
    search "${jobs[$((round % 3))]}"
done
[ $done_so_far -ge "$interruptions" ] || fail "only $done_so_far interruptions"

# What is told of all executions (final states and how many reached them, coverage) includes those
# from before.
models=("$here"/../../examples/abs/database{,3}.abs)
noted() { jq -c '[.executions, .outcomes, .final_state_count, ([.final_states[] | "\(.id) \(.executions)"] | sort)]' "$1/run.json"; }
rm -rf whole
"$sennit" explore -q -k -o whole "${models[@]}" >out 2>err
rm -rf parts
"$sennit" explore -q -k --max-execs=100 -o parts "${models[@]}" >out 2>err
[ "$(jq .executions parts/run.json)" = 100 ] || fail "--max-execs=100: $(jq .executions parts/run.json)"
"$sennit" resume -q --max-execs=200 parts >out 2>err
[ "$(jq .executions parts/run.json)" = 300 ] || fail "200 more executions: $(jq .executions parts/run.json)"
"$sennit" resume -q --max-execs=none parts >out 2>err
[ "$(noted parts)" = "$(noted whole)" ] || fail "final states of parts: $(noted parts) instead of $(noted whole)"
covered() { grep -c "^DA:.*,[1-9]" "$1/coverage.info"; }
"$sennit" cc --coverage "$here/programs/inputs.c" -o covered || exit 1
rm -rf whole
"$sennit" explore -q -o whole ./covered >out 2>err
rm -rf parts
"$sennit" explore -q --max-execs=40 -o parts ./covered >out 2>err
"$sennit" resume -q --max-execs=none parts >out 2>err
[ "$(covered parts)" = "$(covered whole)" ] || fail "coverage of parts: $(covered parts) lines instead of $(covered whole)"

# Checkpoints while it runs: a search that is killed goes on from the last one. (On a machine that
# stands still now and then it may be over before the kill.)
for ((round = 0; round < 10; round++)); do
    "$sennit" explore -q --checkpoint=0.1s -o killed ./fib5 >out 2>err &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ ! -f killed/checkpoint/search ]; do sleep 0.05; done
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ -f killed/checkpoint/search ] && break
    rm -rf killed
done
if [ -f killed/checkpoint/search ]; then
    "$sennit" resume -q killed >out 2>err || fail "after a kill: $(cat out err)"
    [ "$(jq .executions killed/run.json)" = 218243 ] || fail "after a kill: $(jq .executions killed/run.json) executions"
else
    fail "no checkpoint while running"
fi

# What does not fit is refused, with the difference.
refused() {
    local sentence=$1
    shift
    "$@" >out 2>err
    [ $? = 2 ] || fail "not refused: $*"
    grep -q -- "$sentence" err || fail "refused with other words: $(cat err)"
}
"$sennit" explore -q --max-execs=1000 -o changed ./fib5 >out 2>err
refused "started without --max-steps=9" "$sennit" resume changed --max-steps 9
refused "started without --keep-going" "$sennit" resume -k changed
cp fib5 copy5
cp fib4 fib5
refused "has changed since the search was started" "$sennit" resume changed
cp copy5 fib5
head -c 300 changed/checkpoint/search >torn && cp torn changed/checkpoint/search
refused "checkpoint is incomplete" "$sennit" resume changed
refused "nothing to resume" "$sennit" resume run
refused "has no checkpoint" "$sennit" resume .
refused "no run given" "$sennit" resume

echo "$done_so_far interruptions, $failures failures"
[ $failures = 0 ]
