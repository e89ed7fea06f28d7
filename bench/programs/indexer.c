/* indexer.c - threads insert messages into one hash table (Flanagan and Godefroid's indexer)
 *
 * litmus: -DN=11 -> executions 1
 * litmus: -DN=13 -> executions 64
 * litmus: -DN=14 -> executions 512
 * litmus long: -DN=15 -> executions 4096
 *
 * 128 slots, a mutex each; four insertions per thread, linear probing. Up to 11 threads
 * never meet; from 12 on a few pairs compete for a slot.
 */
#include "threads.h"

#ifndef N
#define N 13
#endif

enum { SIZE = 128, MAX = 4 };

static int table[SIZE];
static pthread_mutex_t slot[SIZE];

static int insert(int h, int w)
{
    pthread_mutex_lock(&slot[h]);
    int is_free = table[h] == 0;
    if (is_free)
        table[h] = w;
    pthread_mutex_unlock(&slot[h]);
    return is_free;
}

static void *body(void *argument)
{
    int tid = number_of(argument);
    int m = 0;
    while (m < MAX) {
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
        while (!insert(h, w))
            h = (h + 1) % SIZE;
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&slot[i], NULL);
    start_all(N, body);
    join_all();
    return 0;
}
