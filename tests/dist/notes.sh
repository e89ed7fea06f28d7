#!/usr/bin/env bash
# What is noted of all executions (tests, lists, trees, decisions, what kept the search from being
# exhaustive): the same for one worker, several, a search with interruptions, and through a store.
#     notes.sh SENNIT
. "$(dirname "$0")/lib.sh"
start_server
models=$here/../../examples/abs
cp "$models"/database{,2}.abs .
"$sennit" cc --coverage "$here/programs/inputs.c" -o inputs || exit 1
"$sennit" cc "$here/programs/bugs.c" -o bugs || exit 1
"$sennit" cc "$here/programs/taken.c" -o taken || exit 1
"$sennit" cc -I"$programs" -DN=4 "$programs/fib_bench.c" -o fib || exit 1

shared() { # arguments of explore: with two workers, of which one has two processes
    rm -rf store run
    workers=()
    start_worker --jobs 1 --lease 5s
    start_worker --jobs 2 --lease 5s
    timeout 100 "$sennit" explore -q --store "$url" "$@" >out 2>err
    local code=$?
    kill -TERM "${workers[@]}" 2>/dev/null
    workers_end "$*"
    return $code
}
# in_parts ARGUMENTS...: a search that is stopped after every few executions, goes on, and is killed now and then
in_parts() {
    local rounds=0
    rm -rf parts
    "$sennit" explore -q --max-execs=3 -o parts "$@" >out 2>err
    while [ -f parts/checkpoint/search ] && [ $((rounds++)) -lt 200 ]; do
        if [ $((rounds % 7)) = 0 ]; then # explores, and dies before it has told anybody
            timeout -s KILL 0.05 "$sennit" resume -q -j 1 --max-execs=none parts >out 2>err
        else
            "$sennit" resume -q -j $((rounds % 3 + 1)) --max-execs=$((rounds % 3 + 1)) parts >out 2>err
        fi
    done
    interruptions=$((interruptions + rounds))
}
interruptions=0

# ---- Tests: one per execution, and each can be replayed. An execution is known by what each thread did.
classes() { # directory: a line per trace: the steps of each thread in its order, and how many writes came before each access
    find "$1" -name 'test*.trace' -print0 | xargs -0 awk '
        function flush() { if (seen) { line = ""; for (i = 0; i < 9; i++) line = line " / " steps[i]; print line } split("", steps); split("", writes) }
        FNR == 1 { flush(); seen = 1 }
        $1 == "step" {
            text = $5 " " $6
            for (i = 8; i <= NF; i++) text = text " " $i
            split($3, name, ".")
            steps[name[2] + 0] = steps[name[2] + 0] "|" text " @" (writes[$9] + 0)
            if ($8 == "store" || $8 == "rmw") writes[$9]++
        }
        END { flush() }' | sort
}
tests_are() { # directory what
    [ "$(classes "$1")" = "$expected" ] || fail "$2: $(classes "$1" | wc -l) tests, $(classes "$1" | uniq | wc -l) different ones, not those of one worker"
    local trace
    for trace in "$1"/test*.trace; do
        "$sennit" replay -q "$trace" >out 2>err
        [ $? -le 1 ] || fail "$2: $trace cannot be replayed: $(cat err)"
    done
    grep -q "values_$(ls "$1" | grep -c trace)\[\]" "$1/tests.h" || fail "$2: the driver does not have all tests"
}
rm -rf whole
"$sennit" explore -q -k -j 1 -o whole --tests T ./inputs >out 2>err
expected=$(classes T)
[ "$(classes T | wc -l)" = 41 ] && [ "$(classes T | uniq | wc -l)" = 41 ] || fail "41 different tests: $(classes T | uniq -d)"
"$sennit" explore -q -k -j 4 -o several --tests T ./inputs >out 2>err
tests_are T "several workers"
in_parts -k --tests T ./inputs
tests_are T "a search in parts"
shared -k -o store --tests T ./inputs && grep -q "41 tests in T" out || fail "tests through a store: $(cat out err)"
tests_are T "through a store"
rm -rf store
"$sennit" explore -q -k -o store --tests U --select=branch ./inputs >out 2>err
few=$(ls U/test*.trace | wc -l)
in_parts -k --tests U --select=branch ./inputs
[ "$(ls U/test*.trace | wc -l)" -le $((few + 2)) ] || fail "a selection in parts: $(ls U)"
shared -k -o store --tests U --select=branch --max-tests=1000 ./inputs
[ "$(ls U/test*.trace | wc -l)" -le $((few + 2)) ] || fail "a selection through a store: $(ls U)"
shared -k -o store --tests U --max-tests=5 ./inputs
[ "$(ls U/test*.trace | wc -l)" = 5 ] && grep -q "others were left out" out || fail "--max-tests through a store: $(ls U; cat out)"

# Workers that the system kills: what they did again is not there twice.
rm -rf whole
"$sennit" explore -q -k -j 1 -o whole --tests K ./fib >out 2>err
expected=$(classes K | cksum)
rm -rf K
"$sennit" explore -q -k -j 3 -o killed --tests K ./fib >out 2>err &
coordinator=$!
for ((i = 0; i < 6; i++)); do
    sleep 0.2
    mapfile -t victims < <(pgrep -P $coordinator)
    [ ${#victims[@]} -gt 0 ] && kill -KILL "${victims[$((RANDOM % ${#victims[@]}))]}" 2>/dev/null
done
wait $coordinator
code=$?
[ $code = 5 ] || { [ $code = 0 ] && [ "$(ls K | grep -c trace)" = 19605 ] && [ "$(classes K | cksum)" = "$expected" ]; } ||
    fail "killed workers: exit code $code, $(ls K | grep -c trace) tests $(cat err)"

# ---- Models: lists and trees of all executions, decisions, final states.
view() { jq -c '[.executions, .outcomes, .final_state_count, ([.final_states[] | "\(.id) \(.executions)"] | sort),
    ([.execution_list[]? | "\(.final_state) \(.steps | tostring | length)"] | sort), .decisions]' "$1/run.json"; }
tree() { grep -o "=> .*" "$1/tree.txt" | sort; } # steps of different orders stand at different places
model=(-k --show=all --tree=text database.abs database2.abs)
rm -rf whole
"$sennit" explore -q -j 1 -o whole "${model[@]}" >out 2>err
[ "$(jq '.execution_list | length' whole/run.json)" = 28 ] || fail "28 executions in a list"
in_parts "${model[@]}"
[ "$(view parts)" = "$(view whole)" ] || fail "a list in parts: $(view parts) instead of $(view whole)"
[ "$(tree parts)" = "$(tree whole)" ] || fail "a tree in parts"
shared -o store "${model[@]}"
[ "$(view store)" = "$(view whole)" ] || fail "a list through a store: $(view store) instead of $(view whole)"
[ "$(tree store)" = "$(tree whole)" ] || fail "a tree through a store"
until=(-k --until=decision-coverage database.abs database2.abs)
rm -rf whole
"$sennit" explore -q -j 1 -o whole "${until[@]}" >out 2>err
code=$?
in_parts "${until[@]}"
[ "$(jq -c .decisions parts/run.json)" = "$(jq -c .decisions whole/run.json)" ] || fail "--until in parts: $(jq -c .decisions parts/run.json)"
shared -o store "${until[@]}"
[ $? = $code ] && [ "$(jq -c .decisions store/run.json)" = "$(jq -c .decisions whole/run.json)" ] || fail "--until through a store: $(cat out err)"

# ---- What keeps a verdict from being exhaustive, whoever met it and when.
for how in whole parts store; do
    case $how in
    whole) rm -rf whole; "$sennit" explore -q -j 1 -o whole ./taken >out 2>err ;;
    parts) for ((i = 1; i < 5; i++)); do
        rm -rf parts
        "$sennit" explore -q --max-execs=$i -o parts ./taken >out 2>err
        "$sennit" resume -q --max-execs=none parts >out 2>err
        [ "$(jq -r .verdict parts/run.json)" = exhaustive-but-for ] || fail "after $i executions: $(head -1 out)"
    done ;;
    store) shared -o store ./taken ;;
    esac
    grep -q "exhaustive but for: concretised floating point (taken.c:12);" out || fail "$how: $(cat out err)"
done

# ---- A number of executions is never exceeded, and everything is everything.
for n in 1 2 3 10 1001 19604 19605; do
    verdict=$([ $n = 19605 ] && echo exhaustive || echo incomplete)
    for j in 1 3; do
        rm -rf run
        "$sennit" explore -q -j $j --max-execs=$n -o run ./fib >out 2>err
        [ "$(jq -c '[.executions, .verdict]' run/run.json)" = "[$n,\"$verdict\"]" ] || fail "--max-execs=$n -j $j: $(jq -c '[.executions, .verdict]' run/run.json)"
    done
    shared --max-execs=$n -o run ./fib
    [ "$(jq -c '[.executions, .verdict]' run/run.json)" = "[$n,\"$verdict\"]" ] || fail "--max-execs=$n through a store: $(jq -c '[.executions, .verdict]' run/run.json) $(cat err)"
done
[ ! -e run/checkpoint/search ] || fail "a checkpoint of an earlier run was left"

echo "$interruptions interruptions, $failures failures"
[ $failures = 0 ]
