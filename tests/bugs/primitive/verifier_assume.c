// bug: assertion
// fixed: exhaustive
// The assumption cuts off every schedule but those in which the thread was first.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

static atomic_int state;

static void *worker(void *arg)
{
    atomic_store(&state, 1);
    atomic_store(&state, 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = atomic_load(&state);
    __VERIFIER_assume(seen == 1);
#ifdef FIXED
    if (seen != 1)
#else
    if (atomic_load(&state) == 2)
#endif
        reach_error(); // BUG
    pthread_join(t, NULL);
    return 0;
}
