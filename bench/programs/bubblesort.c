/* bubblesort.c - a thread per pair of neighbours compares and swaps under two locks
 *
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=7 -> executions 7776
 *
 * N cells, N - 1 threads, two rounds each. Neighbouring threads share one cell's lock and
 * interleave their two rounds in (4 over 2) = 6 ways, independently: 6^(N - 2).
 */
#include "threads.h"

#ifndef N
#define N 7
#endif

static int cell[N];
static pthread_mutex_t lock[N];

static void *sorter(void *argument)
{
    int i = number_of(argument);
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock[i]);
        pthread_mutex_lock(&lock[i + 1]);
        if (cell[i] > cell[i + 1]) {
            int moved = cell[i];
            cell[i] = cell[i + 1];
            cell[i + 1] = moved;
        }
        pthread_mutex_unlock(&lock[i + 1]);
        pthread_mutex_unlock(&lock[i]);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        cell[i] = N - i;
        pthread_mutex_init(&lock[i], NULL);
    }
    start_all(N - 1, sorter);
    join_all();
    return 0;
}
