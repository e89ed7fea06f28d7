// bug: crash
// fixed: exhaustive
// The callback is called before main has set it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void nothing(void) {}
static void (*_Atomic callback)(void);

static void *caller(void *arg)
{
    void (*f)(void) = atomic_load(&callback);
    f(); // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&callback, nothing);
#endif
    pthread_create(&t, NULL, caller, NULL);
#ifndef FIXED
    atomic_store(&callback, nothing);
#endif
    pthread_join(t, NULL);
    return 0;
}
