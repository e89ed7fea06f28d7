/* mutex_errors.c - what an error-checking mutex answers
 *
 * litmus: -> executions 2
 *
 * The thread's critical section comes before or after main's; failed calls add no class.
 */
#define _GNU_SOURCE
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *body(void *unused)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    assert(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    start(body, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    join_all();
    return 0;
}
