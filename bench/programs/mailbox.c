/* mailbox.c - N producers and one consumer share a buffer that a mutex guards
 *
 * litmus: -DN=2 -> executions 30
 * litmus: -DN=4 -> executions 1680
 * litmus long: -DN=6 -> executions 151200
 *
 * Each producer locks the mutex once, the consumer four times to take all letters that are there:
 * (N + 4)! / 4! orders.
 */
#include <assert.h>

#include "threads.h"

#ifndef N
#define N 4
#endif
enum { LOOKS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int letters[N], count, taken;

static void *produce(void *argument)
{
    pthread_mutex_lock(&lock);
    letters[count++] = number_of(argument);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *unused)
{
    for (int i = 0; i < LOOKS; i++) {
        pthread_mutex_lock(&lock);
        taken += count;
        count = 0;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    start_all(N, produce);
    start(consume, 0);
    join_all();
    assert(taken + count == N);
    return 0;
}
