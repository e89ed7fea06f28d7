// bug: data-race
// fixed: exhaustive
// A barrier serves round after round; without the second wait a round reads what the last one still writes.
#include <pthread.h>

static pthread_barrier_t barrier;
static int cell[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    for (int round = 0; round < 2; round++) {
        int other = cell[1 - me]; // BUG
        pthread_barrier_wait(&barrier);
        cell[me] = other + 1; // BUG
#ifndef FIXED
        if (round == 0)
            continue;
#endif
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return cell[0] == 2 ? 0 : cell[0] > 2;
}
