// bug: lock-misuse
// fixed: exhaustive
// Main destroys the condition variable while the thread still waits on it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int waiting, ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!ready)
        pthread_cond_wait(&changed, &lock); // (BUG)
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_init(&changed, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    pthread_cond_destroy(&changed);
#else
    int early = !waiting;
    ready = early;
    if (!early)
        pthread_cond_destroy(&changed); // BUG
    pthread_mutex_unlock(&lock);
    if (early)
        pthread_join(t, NULL);
#endif
    return 0;
}
