// bug: data-race
// fixed: exhaustive
// The second writer writes only if it finds the mode changed, and main changes it only for a moment.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mode;
static int log_size;

static void *logger(void *arg)
{
    if (atomic_load_explicit(&mode, memory_order_relaxed) == 1)
#ifdef FIXED
        return arg;
#else
        log_size = 1; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, logger, NULL);
    atomic_store_explicit(&mode, 1, memory_order_relaxed);
    atomic_store_explicit(&mode, 0, memory_order_relaxed);
    log_size = 2; // BUG
    pthread_join(t, NULL);
    return log_size > 2;
}
