// bug: assertion
// fixed: exhaustive
// The consumer may pass before the second item is there.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t items;
static atomic_int stored;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&stored, 1);
        sem_post(&items);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    sem_wait(&items);
#ifdef FIXED
    sem_wait(&items);
#endif
    assert(atomic_load(&stored) == 2); // BUG
    pthread_join(t, NULL);
    return 0;
}
