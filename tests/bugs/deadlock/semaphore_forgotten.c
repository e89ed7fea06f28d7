// bug: deadlock
// fixed: exhaustive
// The worker skips its post only if it finds the queue closed.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int closed;

static void *worker(void *arg)
{
#ifdef FIXED
    atomic_load(&closed);
#else
    if (atomic_load(&closed))
        return NULL;
#endif
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&closed, 1);
    sem_wait(&done); // BUG
    pthread_join(t, NULL);
    sem_destroy(&done);
    return 0;
}
