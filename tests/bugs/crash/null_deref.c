// bug: crash
// fixed: exhaustive
// Main must clear the pointer between the thread's test and its use.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 7;
static int *_Atomic current = &value;

static void *reader(void *arg)
{
#ifdef FIXED
    int *it = atomic_load(&current);
    if (it)
        return *it ? NULL : arg;
#else
    if (atomic_load(&current))
        return *atomic_load(&current) ? NULL : arg; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&current, NULL);
    pthread_join(t, NULL);
    return 0;
}
