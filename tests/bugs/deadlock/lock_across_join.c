// bug: deadlock
// fixed: exhaustive
// Main must take the lock before the thread does; then it waits for a thread that waits for it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock); // BUG
    total++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    pthread_mutex_lock(&lock);
    total++;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
#else
    pthread_join(t, NULL); // BUG
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}
