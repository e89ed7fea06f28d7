// bug: deadlock
// fixed: exhaustive
// Without a predicate the signal is gone if it comes before the wait.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
#ifdef FIXED
static int started;
#endif

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!started)
#endif
        pthread_cond_wait(&go, &lock); // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    started = 1;
#endif
    pthread_cond_signal(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL); // (BUG)
    return 0;
}
