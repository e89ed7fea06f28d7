/* cond_signal.c - one waiter for a flag, one signal
 *
 * litmus: -> executions 2
 * litmus: -DWAITERS=2 -> executions 30
 *
 * One waiter: the token is there before it looks, or it waits and is woken. Two waiters
 * and two signals: 30 by brute force.
 */
#include "litmus.h"

#ifndef WAITERS
#define WAITERS 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tokens;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    while (tokens == 0)
        pthread_cond_wait(&changed, &lock);
    tokens--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signaller(void *unused)
{
    for (int i = 0; i < WAITERS; i++) {
        pthread_mutex_lock(&lock);
        tokens++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    start_all(WAITERS, waiter);
    start(signaller, 0);
    join_all();
    assert(tokens == 0);
    return 0;
}
