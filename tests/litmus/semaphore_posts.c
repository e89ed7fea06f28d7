/* semaphore_posts.c - posts commute; a wait comes after at least one of them
 *
 * litmus: -DN=4 -DWAITS=0 -> executions 1
 * litmus: -DN=1 -DWAITS=1 -> executions 1
 * litmus: -DN=3 -DWAITS=1 -> executions 7
 * litmus: -DN=3 -DWAITS=2 -> executions 16
 *
 * One wait: any non-empty set of the N posts comes before it, 2^N - 1. Two waits of one
 * thread: a non-empty set before the first, a larger one of at least two before the
 * second: 16 for N = 3 (first set of 1: 3 * 3; of 2: 3 * 2; of 3: 1).
 */
#include <semaphore.h>

#include "litmus.h"

static sem_t tokens;

static void *poster(void *unused)
{
    sem_post(&tokens);
    return unused;
}

static void *waiter(void *unused)
{
    for (int k = 0; k < WAITS; k++)
        sem_wait(&tokens);
    return unused;
}

int main(void)
{
    sem_init(&tokens, 0, 0);
    start_all(N, poster);
    start(waiter, 0);
    join_all();
    return 0;
}
