// bug: assertion
// fixed: exhaustive
// A thread's value comes from return or from pthread_exit; the early one is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int hurry;

static void leave(intptr_t value)
{
    pthread_exit((void *)value);
}

static void *worker(void *arg)
{
#ifdef FIXED
    if (atomic_load(&hurry))
        leave(2);
#else
    if (atomic_load(&hurry))
        leave(1);
#endif
    return (void *)(intptr_t)2;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&hurry, 1);
    assert(pthread_join(t, &value) == 0);
    assert((intptr_t)value == 2); // BUG
    return 0;
}
