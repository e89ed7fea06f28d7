// bug: data-race
// fixed: exhaustive
// One side is atomic, the other is not: still a race.
#include <pthread.h>

static int stop;

static void *worker(void *arg)
{
#ifdef FIXED
    int seen = __atomic_load_n(&stop, __ATOMIC_SEQ_CST);
#else
    int seen = stop; // BUG
#endif
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST); // BUG
    pthread_join(t, NULL);
    return 0;
}
