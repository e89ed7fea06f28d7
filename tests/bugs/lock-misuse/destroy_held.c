// bug: lock-misuse
// fixed: exhaustive
// Main destroys the lock while the thread is inside.
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock); // (BUG)
    value++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#else
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
#endif
    pthread_mutex_destroy(&lock); // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    return 0;
}
