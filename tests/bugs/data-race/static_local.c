// bug: data-race
// fixed: exhaustive
// A static local is shared by all callers.
#include <pthread.h>
#include <stdatomic.h>

static int next_id(void)
{
#ifdef FIXED
    static atomic_int last;
#else
    static int last;
#endif
    return ++last; // BUG
}

static void *worker(void *arg)
{
    return next_id() > 2 ? arg : NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return next_id() == 3 ? 0 : 1;
}
