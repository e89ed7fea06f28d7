/* cond_broadcast.c - a broadcast wakes all; who gets the mutex first is open
 *
 * litmus: -DN=1 -> executions 2
 * litmus: -DN=2 -> executions 10
 * litmus: -DN=3 -> executions 96
 *
 * If k of the N threads wait before the broadcast, they begin to wait in N! / (N - k)!
 * ways; after it all N take the mutex in any order: N! * sum over k of N! / (N - k)!.
 */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open_;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!open_)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *opener(void *unused)
{
    pthread_mutex_lock(&lock);
    open_ = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    start_all(N, waiter);
    start(opener, 0);
    join_all();
    return 0;
}
