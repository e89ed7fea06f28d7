// bug: lock-misuse
// fixed: exhaustive
// Two threads wait on one condition variable with different mutexes, and both must wait at once.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    pthread_mutex_t *lock = arg;
    pthread_mutex_lock(lock);
    while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
        pthread_cond_wait(&changed, lock); // BUG
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, &first);
#ifdef FIXED
    pthread_create(&b, NULL, waiter, &first);
#else
    pthread_create(&b, NULL, waiter, &second);
#endif
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
