// bug: deadlock
// fixed: exhaustive
// Both must wait when the gate opens; one signal wakes only one of them.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;

static void *enter(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&opened, &lock); // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_mutex_lock(&lock);
    open = 1;
#ifdef FIXED
    pthread_cond_broadcast(&opened);
#else
    pthread_cond_signal(&opened);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return 0;
}
