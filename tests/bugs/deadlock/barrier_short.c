// bug: deadlock
// fixed: exhaustive
// The barrier expects two; one worker gives up if it sees the stop flag before arriving.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int stop;

static void *steady(void *arg)
{
    pthread_barrier_wait(&barrier); // BUG
    return NULL;
}

static void *nervous(void *arg)
{
#ifndef FIXED
    if (atomic_load(&stop))
        return NULL;
#endif
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t s, n;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&s, NULL, steady, NULL);
    pthread_create(&n, NULL, nervous, NULL);
    atomic_store(&stop, 1);
    pthread_join(s, NULL); // (BUG)
    pthread_join(n, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
