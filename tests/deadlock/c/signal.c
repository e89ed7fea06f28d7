/* A signal that may come before the wait: no lock order shows this deadlock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *signaller(void *argument)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
