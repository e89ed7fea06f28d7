// bug: double-free
// fixed: exhaustive
// Both threads must find the pointer set before either one clears it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic block;

static void *drop(void *arg)
{
#ifdef FIXED
    free(atomic_exchange(&block, NULL));
#else
    void *mine = atomic_load(&block);
    atomic_store(&block, NULL);
    free(mine); // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(8); // (BUG)
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
