// bug: assertion
// fixed: exhaustive
// An update is lost only if the other thread's store falls between this thread's load and store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *arg)
{
#ifdef FIXED
    atomic_fetch_add(&counter, 1);
#else
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); // BUG
    return 0;
}
