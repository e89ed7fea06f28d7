// bug: use-after-free
// fixed: exhaustive
// The pointer must be looked at again after it was announced: it may have been retired in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared, *_Atomic hazard;

static void *reader(void *arg)
{
    int *it = atomic_load(&shared);
    atomic_store(&hazard, it);
#ifdef FIXED
    if (atomic_load(&shared) != it)
        it = NULL;
#endif
    int seen = it ? *it : 0; // BUG
    atomic_store(&hazard, NULL);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    shared = calloc(1, sizeof *shared); // (BUG)
    pthread_create(&t, NULL, reader, NULL);
    int *retired = atomic_exchange(&shared, NULL);
    int safe = atomic_load(&hazard) != retired;
    if (safe)
        free(retired); // (BUG)
    pthread_join(t, NULL);
    if (!safe)
        free(retired);
    return 0;
}
