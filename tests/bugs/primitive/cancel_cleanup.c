// bug: deadlock
// fixed: exhaustive
// A cancelled wait owns the mutex again; without a cleanup handler it stays locked.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    pthread_cleanup_push(unlock, &lock);
#endif
    for (;;)
        pthread_cond_wait(&never, &lock);
#ifdef FIXED
    pthread_cleanup_pop(1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    pthread_mutex_lock(&lock); // BUG
    unlock(&lock);
    return value == PTHREAD_CANCELED ? 0 : 1;
}
