// bug: deadlock
// fixed: exhaustive
// Main blocks forever only if the thread gets the lock first: it ends without giving it back.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    value++;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock); // BUG
    value++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
