// bug: use-after-free
// fixed: exhaustive
// The old version is freed without waiting for a reader that already has it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;
static atomic_int reading;

static void *reader(void *arg)
{
    atomic_store(&reading, 1);
    int *version = atomic_load(&current);
    int seen = *version; // BUG
    atomic_store(&reading, 0);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    int *old = calloc(1, sizeof *old), *new = calloc(1, sizeof *new); // (BUG)
    atomic_store(&current, old);
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&current, new);
#ifdef FIXED
    while (atomic_load(&reading))
        ;
#else
    atomic_load(&reading);
#endif
    free(old); // (BUG)
    pthread_join(t, NULL);
    free(new);
    return 0;
}
