// bug: overflow
// fixed: exhaustive
// The smallest number has no counterpart: dividing it by -1 overflows, as its remainder does.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long least, divisor = -1;

static void *lower(void *unused)
{
    atomic_store(&least, LONG_MIN);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, lower, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
    long by = 1;
#else
    long by = atomic_load(&divisor);
#endif
    volatile long result = atomic_load(&least) % by; // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    return result == 7;
}
