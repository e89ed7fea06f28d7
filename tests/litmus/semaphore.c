/* semaphore.c - a semaphore with one token is a mutex
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=4 -> executions 24
 * litmus: -DN=4 --reduction=source -> executions 24 redundant any
 * litmus: -DN=2 -DKEEP -> executions 2 bugs deadlock
 *
 * N!. With KEEP nobody gives the token back: who gets it decides.
 */
#include <semaphore.h>

#include "litmus.h"

static sem_t tokens;
static int counter;

static void *body(void *unused)
{
    sem_wait(&tokens);
    counter++;
#ifndef KEEP
    sem_post(&tokens);
#endif
    return unused;
}

int main(void)
{
    sem_init(&tokens, 0, 1);
    start_all(N, body);
    join_all();
    return 0;
}
