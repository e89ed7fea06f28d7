// bug: lock-misuse
// fixed: exhaustive
// The error path unlocks a second time, and only a closed queue takes it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closed;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    int stop = atomic_load(&closed);
    pthread_mutex_unlock(&lock); // (BUG)
#ifndef FIXED
    if (stop)
        pthread_mutex_unlock(&lock); // BUG
#endif
    return stop ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&closed, 1);
    pthread_join(t, NULL);
    return 0;
}
