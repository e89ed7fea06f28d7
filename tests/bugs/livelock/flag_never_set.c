// bug: livelock
// fixed: exhaustive
// The worker leaves without raising the flag if it was stopped first.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, finished;

static void *worker(void *arg)
{
#ifdef FIXED
    atomic_load(&stop);
#else
    if (atomic_load(&stop))
        return NULL;
#endif
    atomic_store(&finished, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&stop, 1);
    while (!atomic_load(&finished)) // BUG
        ;
    pthread_join(t, NULL);
    return 0;
}
