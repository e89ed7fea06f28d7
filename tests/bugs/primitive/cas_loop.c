// bug: assertion
// fixed: exhaustive
// redundant: 2
// The maximum is lost if a larger value arrives between the comparison and the store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum;

static void *offer(void *arg)
{
    int mine = *(int *)arg;
#ifdef FIXED
    int seen = atomic_load(&maximum);
    while (seen < mine && !atomic_compare_exchange_weak(&maximum, &seen, mine))
        ;
#else
    if (atomic_load(&maximum) < mine)
        atomic_store(&maximum, mine);
#endif
    return NULL;
}

int main(void)
{
    static int number[2] = {5, 9};
    pthread_t a, b;
    pthread_create(&a, NULL, offer, &number[0]);
    pthread_create(&b, NULL, offer, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(maximum == 9); // BUG
    return 0;
}
