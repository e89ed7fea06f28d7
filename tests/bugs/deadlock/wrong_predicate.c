// bug: deadlock
// fixed: exhaustive
// Both items must be added before the consumer looks: then the count is never exactly one again.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER;
static int count;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_cond_signal(&added);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (count < 1)
#else
    while (count != 1)
#endif
        pthread_cond_wait(&added, &lock); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
