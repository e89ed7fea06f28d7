// bug: assertion
// fixed: exhaustive
// Adding to an atomic double is one step; reading it and storing the sum is two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double sum;

static void *add(void *arg)
{
#ifdef FIXED
    sum += 1.5;
#else
    sum = sum + 1.5;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 3.0); // BUG
    return 0;
}
