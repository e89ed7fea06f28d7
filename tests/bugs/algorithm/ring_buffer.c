// bug: data-race
// fixed: exhaustive
// The producer shows the new end before the slot is filled.
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2 };
static int slot[SLOTS];
static atomic_int written, taken;

static void *producer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        while (i - atomic_load(&taken) == SLOTS)
            ;
#ifdef FIXED
        slot[i % SLOTS] = i;
        atomic_store(&written, i + 1);
#else
        atomic_store(&written, i + 1);
        slot[i % SLOTS] = i; // BUG
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 3; i++) {
        while (atomic_load(&written) == i)
            ;
        sum += slot[i % SLOTS]; // BUG
        atomic_store(&taken, i + 1);
    }
    pthread_join(t, NULL);
    return sum > 3;
}
