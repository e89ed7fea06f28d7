// bug: bounds
// fixed: exhaustive
// A thread that comes too often writes behind a table of slots.
#include <pthread.h>
#include <stdatomic.h>

static int slots[3];
static atomic_int next;

static void put(int *table, int at, int value)
{
    table[at] = value; // BUG
}

static void *worker(void *arg)
{
    put(slots, atomic_fetch_add(&next, 1), 7);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    if (atomic_load(&next) == 2) {
#ifndef FIXED
        atomic_store(&next, 3);
#endif
        worker(NULL); // (BUG)
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
