// bug: data-race
// fixed: exhaustive
// volatile keeps the compiler from caching, but orders nothing between threads.
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
static atomic_int stop;
#else
static volatile int stop;
#endif

static void *worker(void *arg)
{
    for (int i = 0; i < 2 && !stop; i++) // BUG
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = 1; // BUG
    pthread_join(t, NULL);
    return 0;
}
