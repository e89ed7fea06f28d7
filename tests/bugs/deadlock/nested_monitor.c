// bug: deadlock
// fixed: exhaustive
// The consumer must come first: it waits inside, still holding the outer lock the producer needs.
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
#ifndef FIXED
    pthread_mutex_lock(&outer);
#endif
    pthread_mutex_lock(&inner);
    while (items == 0)
        pthread_cond_wait(&filled, &inner); // BUG
    items--;
    pthread_mutex_unlock(&inner);
#ifndef FIXED
    pthread_mutex_unlock(&outer);
#endif
    return NULL;
}

static void *producer(void *arg)
{
    pthread_mutex_lock(&outer); // BUG
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void)
{
    pthread_t c, p;
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(c, NULL); // (BUG)
    pthread_join(p, NULL); // (BUG)
    return 0;
}
