// bug: assertion
// fixed: exhaustive
// Needs all three threads in the one order a, b, c out of six.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;

static void *advance(void *arg)
{
    int from = *(int *)arg;
    int expected = from;
    atomic_compare_exchange_strong(&stage, &expected, from + 1);
    return NULL;
}

int main(void)
{
    static int froms[] = {2, 1, 0};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, advance, &froms[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
#ifdef FIXED
    assert(stage <= 3);
#else
    assert(stage < 3); // BUG
#endif
    return 0;
}
