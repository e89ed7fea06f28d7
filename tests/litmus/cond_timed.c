/* cond_timed.c - a timed wait in a loop: at most T time-outs per thread
 *
 * litmus: --timeouts=0 -> executions 2 verdict bounded
 * litmus: --timeouts=1 -> executions 4 verdict bounded
 * litmus: --timeouts=3 -> executions 8 verdict bounded
 * litmus: --timeouts=3 -DONCE -> executions 4
 *
 * The setter comes first: 1; or during the k-th wait, k <= T, which then ends with 0 or with
 * a time-out that was just before the signal: 2 T; or during a wait that cannot time out any
 * more: 1. With ONCE there is no loop: set first, timed out before, woken, or both.
 */
#include "litmus.h"

#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void wait_a_second(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&changed, &lock, &until);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
#ifdef ONCE
    if (!ready)
        wait_a_second();
#else
    while (!ready)
        wait_a_second();
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
