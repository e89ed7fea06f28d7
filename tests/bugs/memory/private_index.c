// bug: bounds
// fixed: exhaustive
// An array that nobody else knows, and an index that depends on who comes first.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mark;

static void *raise(void *arg)
{
    atomic_store(&mark, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    int counts[5] = {0};
#else
    int counts[4] = {0};
#endif
    pthread_create(&t, NULL, raise, NULL);
    counts[3 + atomic_load(&mark)]++; // BUG
    pthread_join(t, NULL);
    return counts[0];
}
