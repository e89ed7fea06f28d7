// bug: livelock
// fixed: exhaustive
// The barrier is used again: a fast thread raises the count anew before the slow one has seen it full.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived, round_;

static void barrier(void)
{
#ifdef FIXED
    int mine = atomic_load(&round_);
    if (atomic_fetch_add(&arrived, 1) == 1) {
        atomic_store(&arrived, 0);
        atomic_store(&round_, mine + 1);
    } else {
        while (atomic_load(&round_) == mine)
            ;
    }
#else
    if (atomic_fetch_add(&arrived, 1) == 1)
        atomic_store(&arrived, 0);
    else
        while (atomic_load(&arrived) != 0) // BUG
            ;
#endif
}

static void *worker(void *arg)
{
    barrier();
    barrier();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return atomic_load(&round_) > 2;
}
