#!/usr/bin/env bash
# Searches under weak memory: interrupted and resumed, and through a store with workers that are killed: the counts are
# those of one worker.
#     weak.sh SENNIT
. "$(dirname "$0")/lib.sh"
"$sennit" cc -I"$programs" -DN=4 -DWEAK "$programs/fib_bench.c" -o weak4 || exit 1
"$sennit" cc -I"$programs" -DN=5 -DWEAK "$programs/fib_bench.c" -o weak5 || exit 1
counts() { jq -c '[.executions, .redundant, .blocked, .failing, .steps, .verdict]' "$1/run.json" 2>/dev/null; }
right='[34205,0,0,0,957740,"exhaustive"]'

# search_in_parts OPTION...: interrupted until it is over
interruptions=0
search_in_parts() {
    local pid command=(explore -q --memory=rc11 -o parts "$@" ./weak4)
    rm -rf parts
    while :; do
        "$sennit" "${command[@]}" >out 2>err &
        pid=$!
        sleep "0.$((RANDOM % 2))$((RANDOM % 10))"
        kill -INT $pid 2>/dev/null
        wait $pid
        if [ -f parts/checkpoint/search ]; then
            interruptions=$((interruptions + 1))
            command=(resume -q parts)
        elif [ -f parts/run.json ]; then
            break
        fi
    done
    [ "$(counts parts)" = "$right" ] || fail "in parts, $*: $(counts parts) $(cat out err)"
}
for jobs in 1 2 4; do search_in_parts -j $jobs; done
[ $interruptions -gt 0 ] || fail "no search was interrupted"

# Through a store; under TSO the two threads have the same graphs.
start_server
for memory in rc11 tso; do
    rm -rf run
    "$sennit" explore -q --memory=$memory --store "$url" -o run ./weak4 >out 2>err &
    coordinator=$!
    start_worker --jobs 1
    start_worker --jobs 2
    within 100 $coordinator || fail "$memory through a store: it does not end"
    [ "$(counts run)" = "$right" ] || fail "$memory through a store: $(counts run) $(cat out err)"
    workers_end $memory
done

# Workers are killed.
rm -rf run
"$sennit" explore -q --memory=rc11 --store "$url" -o run ./weak5 >out 2>err &
coordinator=$!
for ((i = 0; i < 2; i++)); do start_worker --jobs 1 --lease 2s; done
under_way
for ((k = 0; k < 4; k++)); do
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill_worker $((k % 2))
    setsid "$sennit" worker --store "$url" -q --jobs 1 --lease 2s >>worker.log 2>&1 &
    workers[k % 2]=$!
done
within 300 $coordinator || fail "killed workers: it does not end"
[ "$(result run)" = "525630 0 exhaustive 0" ] || fail "killed workers: $(result run) $(cat out err)"
workers_end 'killed workers'

# A program whose jobs must stay in one process says so, unless it is over before.
cat >together.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
C
"$sennit" cc together.c -o together || exit 1
start_worker --jobs 1
"$sennit" explore -q --memory=rc11 --store "$url" -o together-run ./together >out 2>err
code=$?
"$sennit" explore -q --memory=rc11 -o alone ./together >/dev/null 2>&1
if [ $code = 0 ]; then
    [ "$(counts together-run)" = "$(counts alone)" ] || fail "together: $(counts together-run), alone $(counts alone)"
else
    [ $code = 5 ] && grep -q "this program needs one machine" err || fail "together: $(cat out err)"
fi
workers_end together

echo "$interruptions interruptions, $failures failures"
[ $failures = 0 ]
