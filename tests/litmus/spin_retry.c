/* spin_retry.c - loops that change something and take it back
 *
 * litmus: -DSHAPE=1 -> executions 4
 * litmus: -DSHAPE=2 -> executions 4
 * litmus: -DSHAPE=3 -> executions 4
 * litmus: -DSHAPE=4 -> executions 4
 * litmus: -DSHAPE=5 -> executions 297
 * litmus: -DSHAPE=6 -> executions 297
 * litmus: -DSHAPE=7 -> executions 265
 * litmus: -O2 -DSHAPE=1 -> executions 4
 * litmus: -O2 -DSHAPE=6 -> executions 297
 * litmus: -DSHAPE=1 -DEARLIER=35 -> executions 4
 * litmus: -DSHAPE=1 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=4 -DNEVER -> executions 1 bugs livelock
 *
 * 1 to 4 look at `done` under a lock of their own (an exchange, a compare-and-swap), a semaphore, a read-write lock. The
 * lock is acquired by the other thread before the first iteration, or before the second, or before the third, or later:
 * then the polling thread has been in the same state three times, and lets the other one continue. 5: two threads raise
 * a flag and take it back while that of the other is up. 6: two threads acquire two locks in opposite orders, and give
 * up the first if the second is taken. 7: a thread looks under a mutex that the other one tries to get. In 5 to 7 the
 * threads may disturb each other again and again; they do until a thread is in a state in which it has been. EARLIER
 * threads have ended before: how much of a stack is compared does not depend on the thread's number.
 */
#include <semaphore.h>

#include "litmus.h"

static int done, shared;

#if SHAPE == 1
static atomic_flag own = ATOMIC_FLAG_INIT;
static void lock(void) { while (atomic_flag_test_and_set(&own)) ; }
static void unlock(void) { atomic_flag_clear(&own); }
#elif SHAPE == 2
static atomic_int own;
static void lock(void) { for (int free = 0; !atomic_compare_exchange_weak(&own, &free, 1); free = 0) ; }
static void unlock(void) { atomic_store(&own, 0); }
#elif SHAPE == 3
static sem_t own;
static void lock(void) { sem_wait(&own); }
static void unlock(void) { sem_post(&own); }
#elif SHAPE == 4
static pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
static void lock(void) { pthread_rwlock_wrlock(&own); }
static void unlock(void) { pthread_rwlock_unlock(&own); }
#elif SHAPE == 7
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&own); }
static void unlock(void) { pthread_mutex_unlock(&own); }
#endif

#if SHAPE == 5
static atomic_int flag[2];

static void enter(int me)
{
    for (;;) {
        flag[me] = 1;
        if (!flag[1 - me])
            return;
        flag[me] = 0;
    }
}

static void leave(int me) { flag[me] = 0; }
#elif SHAPE == 6
static pthread_mutex_t both[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void enter(int me)
{
    for (;;) {
        pthread_mutex_lock(&both[me]);
        if (pthread_mutex_trylock(&both[1 - me]) == 0)
            return;
        pthread_mutex_unlock(&both[me]);
        sched_yield();
    }
}

static void leave(int me)
{
    pthread_mutex_unlock(&both[1 - me]);
    pthread_mutex_unlock(&both[me]);
}
#else
static void enter(int me)
{
    for (int seen = me; !seen;) {
        lock();
        seen = done;
        unlock();
    }
}

static void leave(int me)
{
#ifndef NEVER
    if (!me)
        return;
#if SHAPE == 7
    while (pthread_mutex_trylock(&own))
        ;
#else
    lock();
#endif
    done = 1;
    unlock();
#else
    (void)me;
#endif
}
#endif

#ifndef EARLIER
#define EARLIER 0
#endif

static void *idle(void *argument) { return argument; }

static void start_earlier(void)
{
    pthread_t thread;
    for (int i = 0; i < EARLIER; i++) {
        pthread_create(&thread, NULL, idle, NULL);
        pthread_join(thread, NULL);
    }
}

static void *run(void *argument)
{
    volatile char deep[16 * EARLIER + 1]; /* frames of some size lie above the loop's */
    deep[0] = 0;
    enter(0);
    leave(0);
    return argument;
}

int main(void)
{
    pthread_t thread;
#if SHAPE == 3
    sem_init(&own, 0, 1);
#endif
    start_earlier();
    pthread_create(&thread, NULL, run, NULL);
    enter(1);
    shared++;
    leave(1);
    pthread_join(thread, NULL);
    return shared != 1;
}
