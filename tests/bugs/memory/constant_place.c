// bug: bounds
// fixed: exhaustive
// One element too far in an array that nobody else sees, at a place that is known.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    int last[4] = {1, 2, 3, 4};
#ifdef FIXED
    int *end = last + 3;
#else
    int *end = last + 4;
#endif
    if (atomic_load(&ready))
        *end = 5; // BUG
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
