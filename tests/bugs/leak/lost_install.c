// bug: leak
// fixed: exhaustive
// options: --check=leak
// The thread that loses the race to install its block must free it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *get(void *arg)
{
    if (!atomic_load(&instance)) {
        int *fresh = malloc(sizeof *fresh); // BUG
        int *expected = NULL;
        if (!atomic_compare_exchange_strong(&instance, &expected, fresh)) {
#ifdef FIXED
            free(fresh);
#endif
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_exchange(&instance, NULL));
    return 0;
}
