// bug: data-race
// fixed: exhaustive
// The unlocked first look races with the other thread's store under the lock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static int *_Atomic instance;
#else
static int *instance;
#endif

static void *use(void *arg)
{
    int *it = instance; // BUG
    if (!it) {
        pthread_mutex_lock(&lock);
        it = instance;
        if (!it) {
            it = malloc(sizeof *it);
            *it = 7;
            instance = it; // BUG
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
    return 0;
}
