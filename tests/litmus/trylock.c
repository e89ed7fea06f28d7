/* trylock.c - a trylock that fails is a read
 *
 * litmus: -DN=2 -> executions 4
 * litmus: -DN=3 -> executions 21
 * litmus: -DN=2 -DHOLD -> executions 2
 * litmus: -DN=3 -DHOLD -> executions 3
 * litmus: -DN=2 -DTIMED -> executions 4
 *
 * N = 2: one before the other, two ways, or one fails while the other holds the lock, two
 * ways. With HOLD nobody unlocks: one succeeds, the others' failures commute. A timed
 * lock behaves like a trylock, since the time may have run out before.
 */
#define _GNU_SOURCE
#include <time.h>

#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int try(void)
{
#ifdef TIMED
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    int code = pthread_mutex_timedlock(&lock, &soon);
    assert(code == 0 || code == ETIMEDOUT);
#else
    int code = pthread_mutex_trylock(&lock);
    assert(code == 0 || code == EBUSY);
#endif
    return code == 0;
}

static void *body(void *unused)
{
    if (try()) {
#ifndef HOLD
        pthread_mutex_unlock(&lock);
#endif
    }
    return unused;
}

int main(void)
{
    start_all(N, body);
    join_all();
    return 0;
}
