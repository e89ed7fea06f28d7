/* mutex.c - N threads enter a critical section K times each
 *
 * litmus: -DN=2 -DK=1 -> executions 2
 * litmus: -DN=2 -DK=2 -> executions 6
 * litmus: -DN=3 -DK=2 -> executions 90
 * litmus: -DN=3 -DK=2 --reduction=source -> executions 90 redundant any
 * litmus: -DN=3 -DK=2 -DKIND=PTHREAD_MUTEX_ERRORCHECK -> executions 90
 * litmus: -DN=3 -DK=2 -DKIND=PTHREAD_MUTEX_RECURSIVE -> executions 90
 * litmus: -DN=3 -DK=2 -DTWICE -DKIND=PTHREAD_MUTEX_RECURSIVE -> executions 90
 *
 * The order of the critical sections: (NK)! / K!^N. Plain accesses inside are no steps;
 * a recursive mutex taken again by its owner adds steps but no class.
 */
#define _GNU_SOURCE
#include "litmus.h"

#ifndef KIND
#define KIND PTHREAD_MUTEX_NORMAL
#endif

static pthread_mutex_t lock;
static int counter;

static void *body(void *unused)
{
    for (int k = 0; k < K; k++) {
        assert(pthread_mutex_lock(&lock) == 0);
#ifdef TWICE
        assert(pthread_mutex_lock(&lock) == 0);
        assert(pthread_mutex_unlock(&lock) == 0);
#endif
        counter++;
        assert(pthread_mutex_unlock(&lock) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, KIND);
    pthread_mutex_init(&lock, &attributes);
    start_all(N, body);
    join_all();
    assert(counter == N * K);
    pthread_mutex_destroy(&lock);
    return 0;
}
