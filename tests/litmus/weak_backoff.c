/* weak_backoff.c - a loop that waits, and counts its iterations in memory up to a sleep, under weak memory
 *
 * After ten iterations the thread is where it was: what it has read of its own counter is no reason to go on.
 *
 * litmus: --memory=rc11 --max-execs=100 -> executions 35 redundant 1
 * litmus: --memory=rc11 -O2 --max-execs=100 -> executions 35 redundant 1
 * litmus: --memory=tso --max-execs=100 -> executions 35 redundant 1
 * litmus: --memory=rc11 -DNEVER -> executions 1 bugs livelock
 */
#include <poll.h>

#include "litmus.h"

static atomic_int x;

static void *set(void *unused)
{
#ifndef NEVER
    atomic_store_explicit(&x, 1, memory_order_release);
#endif
    return unused;
}

__attribute__((noinline)) static void pause_a_moment(int *attempt)
{
    if (++*attempt >= 10) {
        poll(NULL, 0, 10);
        *attempt = 0;
    }
}

int main(void)
{
    int attempt = 0;
    start(set, 0);
    while (!atomic_load_explicit(&x, memory_order_acquire))
        pause_a_moment(&attempt);
    join_all();
    return 0;
}
