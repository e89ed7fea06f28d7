// bug: data-race
// fixed: exhaustive
// options: --memory=sc
// A home-made lock whose unlock is relaxed excludes the other thread but hands nothing over.
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define UNLOCK memory_order_release
#else
#define UNLOCK memory_order_relaxed
#endif

static atomic_int taken;
static int hits;

static void *enter(void *arg)
{
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        ;
    hits++; // BUG
    atomic_store_explicit(&taken, 0, UNLOCK);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return hits == 2 ? 0 : 1;
}
