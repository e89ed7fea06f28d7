#!/usr/bin/env bash
# One core, several, and machines with a store between them: the same executions, each once, the
# same bugs, the same verdict.
#     bars.sh SENNIT [long]
. "$(dirname "$0")/lib.sh"
long=${2:-}
start_server

view() { jq -c '[.executions, .redundant, .verdict, .exit_code, ([.bugs[] | "\(.kind)-\(.id)"] | sort), .outcomes,
    ([.final_states[]? | "\(.id) \(.executions)"] | sort)]' "$1/run.json"; }
compare() { # name how
    [ "$(view run)" = "$(view alone)" ] || fail "$1, $2: $(view run) instead of $(view alone): $(cat err)"
    [ "$(jq .redundant run/run.json)" = 0 ] || fail "$1, $2: redundant executions"
    line+=$(printf '%9.1f' "$(jq .seconds run/run.json 2>/dev/null || echo 0)")
}

# same NAME EXECUTIONS ARGUMENTS...: alone, with 2 and 8 processes, and with 1, 2 and 8 workers through the store
same() {
    local name=$1 expected=$2 n i
    shift 2
    rm -rf alone
    "$sennit" explore -q -k -j 1 -o alone "$@" >out 2>err
    [ "$(jq .executions alone/run.json)" = "$expected" ] || fail "$name: $(jq .executions alone/run.json) executions instead of $expected"
    line=$(printf '%-22s %9d' "$name" "$expected")
    for n in 1 2 8; do
        rm -rf run
        "$sennit" explore -q -k -j $n -o run "$@" >out 2>err
        compare "$name" "-j $n"
        rm -rf run
    done
    for n in 1 2 8; do
        workers=()
        for ((i = 0; i < n; i++)); do start_worker --jobs 1; done
        rm -rf run
        timeout 600 "$sennit" explore -q -k --store "$url" -o run "$@" >out 2>err
        compare "$name" "$n workers"
        kill -TERM "${workers[@]}" 2>/dev/null # those that came too late wait for the next search
        wait "${workers[@]}" 2>/dev/null
        rm -rf run
    done
    echo "$line"
}

build() { # name source flags...
    local name=$1 source=$2
    shift 2
    "$sennit" cc -I"$programs" "$@" "$source" -o "$name" || fail "$source does not compile"
}
actors=$here/../../examples/actors models=$here/../../examples/abs
build bugs "$here/programs/bugs.c"
cp "$models"/database{,2,3}.abs .
printf '%-22s %9s%9s%9s%9s%9s%9s%9s   (seconds)\n' "" executions "-j 1" "-j 2" "-j 8" "store 1" "store 2" "store 8"
if [ -z "$long" ]; then
    build fib "$programs/fib_bench.c" -DN=4
    build indexer "$programs/indexer.c" -DN=14
    build casrot "$programs/casrot.c" -DN=8
    build sort "$actors/pipeline_sort.c" -DN=4
    build inputs "$here/programs/inputs.c"
    same "fib_bench 4" 19605 ./fib
    same "indexer 14" 512 ./indexer
    same "casrot 8" 2048 ./casrot
    same "pipeline sort 4" 35 --channels=fifo ./sort
    same "database 2, ABS" 28 database.abs database2.abs
    same "inputs, 2 threads" 41 ./inputs
    same "with bugs" 8580 ./bugs
else
    build fib "$programs/fib_bench.c" -DN=5
    build indexer "$programs/indexer.c" -DN=15
    build casrot "$programs/casrot.c" -DN=12
    build sort "$actors/pipeline_sort.c" -DN=5
    build inputs "$here/programs/inputs.c" -DN=4
    same "fib_bench 5" 218243 ./fib
    same "indexer 15" 4096 ./indexer
    same "casrot 12" 919146 ./casrot
    same "pipeline sort 5" 226 --channels=fifo ./sort
    same "database 3, ABS" 546 database.abs database3.abs
    same "inputs, 4 threads" 17362 ./inputs
fi
echo "$failures failures"
[ $failures = 0 ]
