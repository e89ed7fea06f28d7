/* prodcons.c - N producers and N consumers share a buffer with one slot
 *
 * litmus: -DN=1 -> executions 2
 * litmus: -DN=2 -> executions 80
 * litmus long: -DN=3 -> executions 57600
 *
 * One mutex, one condition variable, broadcast after each change. Every order in which
 * woken threads get the mutex again is a class of its own, also if they find the slot
 * unchanged and go back to waiting. (A brute-force count confirms the numbers; tools with
 * another model of condition variables count 3274 for N = 3.)
 */
#include "threads.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *change(void *argument)
{
    int from = number_of(argument);
    pthread_mutex_lock(&lock);
    while (full != from)
        pthread_cond_wait(&changed, &lock);
    full = !from;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        start(change, 0); /* a producer fills the slot  */
        start(change, 1); /* a consumer empties the slot */
    }
    join_all();
    return 0;
}
