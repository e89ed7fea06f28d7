// bug: data-race
// fixed: exhaustive
// options: --memory=sc
// The second thread must test the flag while it is set, and walks in.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int hits;

static void *enter(void *arg)
{
#ifdef FIXED
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
#else
    if (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        hits++; // BUG
    else
#endif
    hits++; // BUG
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
