/* spin_repeat.c - loops that wait are recognised by what they do
 *
 * litmus: -DSHAPE=1 -> executions 3
 * litmus: -DSHAPE=2 -> executions 3
 * litmus: -DSHAPE=3 -> executions 3
 * litmus: -DSHAPE=4 -> executions 3
 * litmus: -DSHAPE=5 -> executions 1
 * litmus: -DSHAPE=6 -> executions 12
 * litmus: -DSHAPE=7 -> executions 8
 * litmus: -DSHAPE=8 -> executions 2
 * litmus: -DSHAPE=9 -> executions 12
 * litmus: -DSHAPE=10 -> executions 101
 * litmus: -DSHAPE=11 -> executions 12
 * litmus: -DSHAPE=12 -> executions 1
 * litmus: -O2 -DSHAPE=13 -> executions 1
 * litmus: -DSHAPE=13 --max-steps=9 -> executions 10 verdict bounded
 * litmus: -DSHAPE=14 --unroll=3 -> executions 5 verdict bounded
 * litmus: -O2 -DSHAPE=1 -> executions 3
 * litmus: -O2 -DSHAPE=6 -> executions 12
 * litmus: -O2 -DSHAPE=7 -> executions 7
 * litmus: -DSHAPE=2 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=6 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=9 -DNEVER -> executions 1
 * litmus: -DSHAPE=11 -DNEVER -> executions 1
 *
 * The loop sees the store in its first iteration, or in the second, or it has waited: 3, if one iteration repeats (1: a
 * function pointer; 2: recursion; 3: errno; 4: sem_getvalue). 5, a local variable written through a pointer, is inlined
 * and waits for the store: 1. Where the state repeats later there is one more for each iteration before that reads the
 * flag: 6: a counter that is reset after ten iterations (the thread is parked when it has been in the state of the
 * second one again); 7: back-off that grows; 8: the location to read is chosen in turn. 9: a deadline, in 11
 * with the clock's time in variables of a function that has returned. 10: a loop that gives up after 100 iterations
 * is explored with each number of them. 12: a counter that nothing uses. 13: a function that ends with a call of itself,
 * which becomes a loop if the program is optimised. 14: a counter whose value is used has another state each time.
 */
#include <poll.h>
#include <semaphore.h>
#include <time.h>

#include "litmus.h"

static atomic_int flag, other, third;
static sem_t posted;

static int look(void) { return atomic_load(&flag); }
static int (*look_through)(void) = look;
static int look_deep(int depth) { return depth ? look_deep(depth - 1) : atomic_load(&flag); }
static __attribute__((noinline)) void fetch(int *value) { *value = atomic_load(&flag); }

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

static __attribute__((noinline)) int is_before(long deadline, int depth)
{
    return depth ? is_before(deadline, depth - 1) : now() < deadline;
}

static void wait_for_flag(void)
{
#if SHAPE == 1
    while (!look_through())
        ;
#elif SHAPE == 2
    while (!look_deep(3))
        ;
#elif SHAPE == 3
    do
        errno = 0;
    while (!atomic_load(&flag));
#elif SHAPE == 4
    int value;
    do
        sem_getvalue(&posted, &value);
    while (!value);
#elif SHAPE == 5
    int value;
    do
        fetch(&value);
    while (!value);
#elif SHAPE == 6
    for (int n = 0; !atomic_load(&flag);)
        if (++n >= 10) {
            poll(NULL, 0, 10);
            n = 0;
        }
#elif SHAPE == 7
    for (int backoff = 4; !atomic_load(&flag);) {
        for (volatile int i = backoff; i > 0; i--)
            ;
        if (backoff < 128)
            backoff += backoff;
    }
#elif SHAPE == 8
    atomic_int *const all[] = {&other, &third, &flag};
    for (int k = 0; !atomic_load(all[k]); k = (k + 1) % 3)
        ;
#elif SHAPE == 9
    long deadline = now() + 1000000000;
    while (!atomic_load(&flag) && now() < deadline)
        ;
#elif SHAPE == 11
    long deadline = now() + 1000000000;
    while (!atomic_load(&flag) && is_before(deadline, 3))
        ;
#elif SHAPE == 12
    int n = 0;
    while (!atomic_load(&flag))
        n++;
#elif SHAPE == 13
    if (!atomic_load(&flag))
        wait_for_flag();
#elif SHAPE == 14
    int n = 0;
    while (!atomic_load(&flag))
        n++;
    assert(n >= 0);
#else
    for (int n = 0; n < 100 && !atomic_load(&flag); n++)
        ;
#endif
}

static void *set(void *argument)
{
#ifndef NEVER
    atomic_store(&flag, 1);
    sem_post(&posted);
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_init(&posted, 0, 0);
    pthread_create(&thread, NULL, set, NULL);
    wait_for_flag();
    pthread_join(thread, NULL);
    return 0;
}
