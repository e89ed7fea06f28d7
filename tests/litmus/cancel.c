/* cancel.c - a request to cancel takes effect at the next cancellation point
 *
 * litmus: -DPOINTS=1 -> executions 2
 * litmus: -DPOINTS=3 -> executions 4
 * litmus: -DPOINTS=3 -DDISABLED -> executions 1
 * litmus: -DBLOCKED -> executions 1
 *
 * The request comes before one of the points, or after the last. A thread that disabled
 * cancellation looks at no request; one that is blocked acts on it whenever it comes.
 */
#include "litmus.h"

#include <semaphore.h>

#ifndef POINTS
#define POINTS 0
#endif

static sem_t never;

static void *worker(void *unused)
{
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    for (int i = 0; i < POINTS; i++)
        pthread_testcancel();
#ifdef BLOCKED
    sem_wait(&never);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
#ifdef BLOCKED
    assert(result == PTHREAD_CANCELED);
#endif
    return 0;
}
