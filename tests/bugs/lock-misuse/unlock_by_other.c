// bug: lock-misuse
// fixed: exhaustive
// Main unlocks what the thread holds if the thread was quicker.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock); // (BUG)
    value++;
    pthread_mutex_unlock(&lock); // (BUG)
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int got = pthread_mutex_trylock(&lock);
#ifdef FIXED
    if (got == 0)
#endif
        pthread_mutex_unlock(&lock); // BUG
    pthread_join(t, NULL);
    return got < 0;
}
