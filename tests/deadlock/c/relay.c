/* Both orders of two locks, but the second thread begins when the first one has ended. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *back(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forth, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, back, NULL);
    pthread_join(thread, NULL);
    return 0;
}
