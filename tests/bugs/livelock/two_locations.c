// bug: livelock
// fixed: exhaustive
// The loop waits for a moment in which both are equal, and the last writer leaves them different.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a = 1, b;

static void *writer(void *arg)
{
    atomic_store(&b, 1);
#ifndef FIXED
    atomic_store(&a, 2);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (atomic_load(&a) != atomic_load(&b)) // BUG
        ;
    pthread_join(t, NULL);
    return 0;
}
