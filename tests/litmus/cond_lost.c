/* cond_lost.c - a signal that nobody waits for is lost
 *
 * litmus: -> executions 2 bugs deadlock
 *
 * Without a flag to check, the waiter may come after the signal: it waits forever.
 */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signaller(void *unused)
{
    pthread_cond_signal(&condition);
    return unused;
}

int main(void)
{
    start(waiter, 0);
    start(signaller, 0);
    join_all();
    return 0;
}
