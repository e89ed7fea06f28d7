#!/usr/bin/env bash
# Searches under weak memory: interrupted and resumed, and through a store with workers that are killed: the counts are
# those of one worker.
#     weak.sh SENNIT
. "$(dirname "$0")/lib.sh"
"$sennit" cc -I"$programs" -DN=4 -DWEAK "$programs/fib_bench.c" -o weak4 || exit 1
"$sennit" cc -I"$programs" -DN=5 -DWEAK "$programs/fib_bench.c" -o weak5 || exit 1
counts() { jq -c '[.executions, .redundant, .blocked, .failing, .steps, .verdict]' "$1/run.json" 2>/dev/null; }

# search_in_parts OPTION... PROGRAM: interrupted until it is over
interruptions=0
search_in_parts() {
    local pid command=(explore -q -o parts "$@")
    rm -rf parts
    while :; do
        "$sennit" "${command[@]}" >out 2>err &
        pid=$!
        sleep "0.$((1 + RANDOM % 9))"
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
"$sennit" explore -q -j 1 -o whole ./weak5 >/dev/null 2>&1
right=$(counts whole)
[[ $right == "[525630,0,0,0,"*'"exhaustive"]' ]] || fail "alone: $right"
for jobs in 1 2 4; do search_in_parts -j $jobs ./weak5; done
[ $interruptions -gt 0 ] || fail "no search was interrupted"

# Through a store; under TSO the two threads have the same graphs.
start_server
right='[34205,0,0,0,957740,"exhaustive"]'
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

# Read locks and posts, which commute and are overtaken; threads that threads create have other numbers in each process.
cat >readers.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t posts;
static atomic_int x;
static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    atomic_load_explicit(&x, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
    sem_post(&posts);
    return unused;
}
static void *parent(void *unused)
{
    pthread_t child;
    pthread_create(&child, 0, reader, 0);
    reader(0);
    pthread_join(child, 0);
    return unused;
}
static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_rwlock_unlock(&lock);
    sem_wait(&posts);
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    sem_init(&posts, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i % 2 ? writer : parent, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
C
"$sennit" cc readers.c -o readers || exit 1
"$sennit" explore -q -o alone ./readers >/dev/null 2>&1
right=$(counts alone)
search_in_parts -j 2 ./readers
start_worker --jobs 2
start_worker --jobs 1
"$sennit" explore -q --store "$url" -o shared ./readers >out 2>err
[ "$(counts shared)" = "$right" ] || fail "readers: $(counts shared), alone $right $(cat out err)"
[ "$(jq -r .memory shared/run.json)" = rc11 ] || fail "readers: $(jq -r .memory shared/run.json)"
workers_end readers

echo "$interruptions interruptions, $failures failures"
[ $failures = 0 ]
