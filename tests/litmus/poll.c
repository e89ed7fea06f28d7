/* poll.c - loops that look under a lock until they see what they wait for
 *
 * litmus: -DPOLLERS=1 -> executions 2
 * litmus: -DPOLLERS=1 -DSPIN -> executions 2
 * litmus: -DPOLLERS=1 -DFUNCTION -> executions 2
 * litmus: -DPOLLERS=1 -DINSIDE -> executions 2
 * litmus: -DPOLLERS=1 -DPOINTER -> executions 2
 * litmus: -DPOLLERS=1 -DPOINTER -O2 -> executions 2
 * litmus: -DPOLLERS=1 -DCHECKED -> executions 2
 * litmus: -DPOLLERS=1 -DCHECKED -O2 -> executions 2
 * litmus: -DPOLLERS=2 -> executions 10
 * litmus: -DPOLLERS=3 -> executions 96
 * litmus: -DPOLLERS=1 -DHOLDING -> executions 3
 * litmus: -DPOLLERS=1 -DHOLDING -O2 -> executions 3
 * litmus: -DPOLLERS=1 -DREPEAT -> executions 3
 * litmus: -DPOLLERS=2 -DNEVER -> executions 10 bugs livelock
 * litmus: -DPOLLERS=1 -DHOLDING -DNEVER -> executions 3 bugs livelock
 * litmus: -DPOLLERS=1 -DTRY --max-steps=12 -> executions any verdict bounded
 *
 * A thread that polls looks before the other one is there, and then waits for it, or only
 * afterwards: 2. Several do not wake each other. Each may look before: if k of n do, in k!
 * orders; afterwards all n look, in n! orders: 2 * (1 + 2 + 2) and 6 * (1 + 3 + 6 + 6).
 * HOLDING: what is looked at before the lock is given back for the first time is no round, so
 * two looks may fail before the thread waits: 3. REPEAT: the same, without the first look.
 * TRY: who asks whether the lock is free could tell rounds from waiting, so they are explored.
 */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "litmus.h"

static int done;

#ifdef SPIN
static pthread_spinlock_t lock;
#define take() pthread_spin_lock(&lock)
#define give() pthread_spin_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define take() pthread_mutex_lock(&lock)
#define give() pthread_mutex_unlock(&lock)
#endif

static void *other(void *argument)
{
#ifdef TRY
    if (pthread_mutex_trylock(&lock) == 0)
        give();
#endif
    take();
#ifndef NEVER
    done = 1;
#endif
    give();
    return argument;
}

#ifdef CHECKED
static void must_hold(int condition)
{
    if (!condition)
        abort();
}
#endif

#ifdef FUNCTION
static int is_done(void)
{
    take();
    int now = done;
    give();
    return now;
}
#endif

#ifdef POINTER
static int get(int *number)
{
    int found = 0;
    take();
    if (done) {
        *number = 4 + done;
        found = 1;
    }
    give();
    return found;
}
#endif

static void *poller(void *argument)
{
#if defined HOLDING
    take();
    while (!done) {
        give();
        sched_yield();
        take();
    }
    give();
#elif defined REPEAT
    take();
    do {
        give();
        take();
    } while (!done);
    give();
#elif defined FUNCTION
    while (!is_done())
        usleep(10);
#elif defined POINTER
    int number;
    while (!get(&number))
        ;
    assert(number == 5);
#elif defined INSIDE
    for (;;) {
        take();
        if (done) {
            done = 2;
            give();
            break;
        }
        give();
    }
#else
    for (;;) {
        take();
        int now = done;
        give();
#ifdef CHECKED
        must_hold(now >= 0);
        assert(now <= 1);
#endif
        if (now)
            break;
    }
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[POLLERS + 1];
#ifdef SPIN
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    for (int i = 0; i < POLLERS; i++)
        pthread_create(&threads[i], NULL, poller, NULL);
    pthread_create(&threads[POLLERS], NULL, other, NULL);
    for (int i = 0; i <= POLLERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
