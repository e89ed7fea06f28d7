// bug: data-race
// fixed: exhaustive
// Two threads that read the same free index get the same block of the pool.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char pool[4][16];
static atomic_int next;

static char *pool_take(void)
{
#ifdef FIXED
    return pool[atomic_fetch_add(&next, 1)];
#else
    int free = atomic_load(&next);
    atomic_store(&next, free + 1);
    return pool[free];
#endif
}

static void *worker(void *arg)
{
    char *mine = pool_take();
    memset(mine, 'x', 16); // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
