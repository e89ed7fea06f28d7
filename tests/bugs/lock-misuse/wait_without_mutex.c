// bug: lock-misuse
// fixed: exhaustive
// The wait is reached only if the flag is not set yet, and nobody has locked.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    while (!atomic_load(&ready))
        pthread_cond_wait(&changed, &lock); // BUG
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
