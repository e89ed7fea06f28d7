// bug: data-race
// fixed: exhaustive
// The reader announces itself after looking for a writer: both may pass.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, writing;
static int value;

static void *reader(void *arg)
{
#ifdef FIXED
    atomic_fetch_add(&readers, 1);
    while (atomic_load(&writing))
        ;
#else
    while (atomic_load(&writing))
        ;
    atomic_fetch_add(&readers, 1);
#endif
    int seen = value; // BUG
    atomic_fetch_sub(&readers, 1);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&writing, 1);
#ifdef FIXED
    while (atomic_load(&readers)) {
        atomic_store(&writing, 0);
        while (atomic_load(&readers))
            ;
        atomic_store(&writing, 1);
    }
#else
    while (atomic_load(&readers))
        ;
#endif
    value = 1; // BUG
    atomic_store(&writing, 0);
    pthread_join(t, NULL);
    return 0;
}
