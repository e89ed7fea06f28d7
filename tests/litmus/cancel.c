/* cancel.c - a request to cancel takes effect at the next cancellation point
 *
 * litmus: -DPOINTS=1 -> executions 2
 * litmus: -DPOINTS=3 -> executions 4
 * litmus: -DPOINTS=3 -DDISABLED -> executions 1
 * litmus: -DBLOCKED -> executions 1
 * litmus: -DPOLLS -> executions 2
 *
 * The request comes before one of the points, or after the last. A thread that disabled
 * cancellation looks at no request; one that is blocked acts on it whenever it comes. One that
 * polls and sleeps does so when it sleeps for the first time, or after it has waited.
 */
#include "litmus.h"

#include <semaphore.h>
#include <unistd.h>

#ifndef POINTS
#define POINTS 0
#endif

static sem_t never;
#ifdef POLLS
static atomic_int flag;
#endif

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
#ifdef POLLS
    while (!atomic_load(&flag))
        usleep(10);
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
