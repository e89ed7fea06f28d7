#!/usr/bin/env bash
# Workers, store and coordinator are killed at random moments: the count is always right.
#     kill.sh SENNIT RUNS WORKERS WORKER_KILLS STORE_KILLS COORDINATOR_KILLS [N]
. "$(dirname "$0")/lib.sh"
runs=$2 count=$3 worker_kills=$4 store_kills=$5 coordinator_kills=$6 size=${7:-5}
declare -A right=([4]=19605 [5]=218243)
"$sennit" cc -I"$programs" -DN="$size" "$programs/fib_bench.c" -o fib || exit 1

follow() {
    "$sennit" explore -q --store "$url" -o run ./fib >out 2>err &
    coordinator=$!
}

is_over() { "$sennit" status --store "$url" 2>/dev/null | grep -q "everything is explored"; }

# One run: the kills in random order, with random pauses.
one_run() {
    local kills=() i k
    for ((i = 0; i < worker_kills; i++)); do kills+=(worker); done
    for ((i = 0; i < store_kills; i++)); do kills+=(store); done
    for ((i = 0; i < coordinator_kills; i++)); do kills+=(coordinator); done
    mapfile -t kills < <(printf '%s\n' "${kills[@]}" | shuf)
    rm -rf run appendonlydir
    start_server
    follow
    workers=()
    for ((i = 0; i < count; i++)); do start_worker --jobs 1 --lease 2s; done
    for k in "${kills[@]}"; do
        sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
        is_over || in_time=$((in_time + 1))
        case $k in
        worker)
            i=$((RANDOM % count))
            kill_worker $i
            setsid "$sennit" worker --store "$url" -q --jobs 1 --lease 2s >>worker.log 2>&1 &
            workers[i]=$!
            ;;
        store) stop_server; start_server ;;
        coordinator) kill -KILL $coordinator 2>/dev/null; wait $coordinator 2>/dev/null; is_over || follow ;;
        esac
    done
    # A coordinator that was killed when everything was explored finds nothing to follow.
    for ((i = 0; i < 1200; i++)); do
        kill -0 $coordinator 2>/dev/null || break
        sleep 0.1
    done
    wait $coordinator 2>/dev/null
    local counted
    counted=$("$sennit" status --store "$url" | grep -oE "executions  [0-9,]+" | tr -d ' ,a-z')
    [ "$counted" = "${right[$size]}" ] || fail "$counted executions: $("$sennit" status --store "$url" 2>&1) $(cat err)"
    [ ! -f run/run.json ] || [ "$(result run)" = "${right[$size]} 0 exhaustive 0" ] || fail "result: $(result run)"
    for ((i = 0; i < count; i++)); do kill_worker $i; done
    stop_server
}

in_time=0
for ((r = 1; r <= runs; r++)); do
    one_run
    echo "run $r: $in_time kills in time so far, $failures failures"
done
echo "$in_time kills before the search was over"
echo "$runs runs, each with $count workers and $worker_kills + $store_kills + $coordinator_kills kills: $failures failures"
[ $failures = 0 ]
