// bug: data-race
// fixed: exhaustive
// The neighbour's cell is complete only after the barrier.
#include <pthread.h>

static pthread_barrier_t phase;
static int cell[2], sum[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    cell[me] = me + 1; // BUG
#ifdef FIXED
    pthread_barrier_wait(&phase);
#endif
    sum[me] = cell[me] + cell[1 - me]; // BUG
#ifndef FIXED
    pthread_barrier_wait(&phase);
#endif
    return NULL;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t t[2];
    pthread_barrier_init(&phase, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
