/* spin.c - a loop without side effects waits; its shape does not matter
 *
 * litmus: -DSHAPE=1 -> executions 1
 * litmus: -DSHAPE=2 -> executions 1
 * litmus: -DSHAPE=3 -> executions 1
 * litmus: -DSHAPE=4 -> executions 1
 * litmus: -DSHAPE=5 -> executions 1
 * litmus: -DSHAPE=6 -> executions 1
 * litmus: -DSHAPE=7 -> executions 1
 * litmus: -DSHAPE=8 -> executions 1
 * litmus: -DSHAPE=9 -> executions 1
 * litmus: -DSHAPE=10 -> executions 2
 * litmus: -DSHAPE=1 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=5 -DNEVER -> executions 1 bugs livelock
 *
 * The waiting thread can go on only after the store: one class. If the store never
 * comes, the loop is a livelock, not a hang. A condition in a function (6) is made part of
 * the loop. Shape 10 (a value kept from round to round) is not replaced by one wait: there
 * the first look may fail, and the loop waits before the next: 2.
 */
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "litmus.h"

static atomic_int flag;
static int data;

static bool is_set(void)
{
    return atomic_load(&flag) != 0;
}

static void wait_for_flag(void)
{
#if SHAPE == 1
    while (atomic_load(&flag) != 1)
        ;
#elif SHAPE == 2
    while (!atomic_load(&flag)) {
    }
#elif SHAPE == 3
    do {
    } while (atomic_load(&flag) == 0);
#elif SHAPE == 4
    for (;;) {
        if (atomic_load(&flag))
            break;
    }
#elif SHAPE == 5
    while (!atomic_load(&flag))
        sched_yield();
#elif SHAPE == 6
    while (!is_set())
        ;
#elif SHAPE == 7
    while ((atomic_load(&flag) & 1) == 0)
        ;
#elif SHAPE == 8
    while (atomic_load_explicit(&flag, memory_order_acquire) < 1)
        __builtin_ia32_pause();
#elif SHAPE == 9
    struct timespec moment = {0, 1000};
    while (!atomic_load(&flag))
        nanosleep(&moment, NULL);
#elif SHAPE == 10
    int seen = 0;
    while (!seen)
        seen = atomic_load(&flag);
#endif
}

static void *waiter(void *unused)
{
    wait_for_flag();
    assert(data == 42);
    return unused;
}

static void *setter(void *unused)
{
    data = 42;
#ifndef NEVER
    atomic_store(&flag, 1);
#endif
    return unused;
}

int main(void)
{
    (void)is_set;
    start(waiter, 0);
    start(setter, 0);
    join_all();
    return 0;
}
