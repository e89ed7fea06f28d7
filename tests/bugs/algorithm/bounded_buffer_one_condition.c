// bug: deadlock
// fixed: exhaustive
// One condition variable for both sides: a producer's signal wakes the other producer.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, taken = PTHREAD_COND_INITIALIZER;
static int full;

#ifdef FIXED
#define TAKEN &taken
#else
#define TAKEN &changed
#endif

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(TAKEN, &lock); // (BUG)
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock); // BUG
    full = 0;
    pthread_cond_signal(TAKEN);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t p[2], c[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&c[i], NULL, consumer, NULL);
        pthread_create(&p[i], NULL, producer, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], NULL); // (BUG)
        pthread_join(c[i], NULL); // (BUG)
    }
    return pthread_cond_destroy(&taken);
}
