// bug: assertion
// fixed: exhaustive
// Fails only if main looks before the new thread has stored its result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int result;

static void *compute(void *arg)
{
    atomic_store(&result, 42);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, compute, NULL);
#ifdef FIXED
    pthread_join(worker, NULL);
#endif
    assert(atomic_load(&result) == 42); // BUG
#ifndef FIXED
    pthread_join(worker, NULL);
#endif
    return 0;
}
