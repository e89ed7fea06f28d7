// bug: use-after-return
// fixed: exhaustive
// The thread is given a variable of a function that may return before the thread uses it.
#include <pthread.h>
#include <semaphore.h>

static sem_t used;

static void *work(void *arg)
{
    *(int *)arg = 1; // BUG
    sem_post(&used);
    return NULL;
}

static void start(pthread_t *thread)
{
    int local = 0;
    pthread_create(thread, NULL, work, &local);
#ifdef FIXED
    sem_wait(&used);
#endif
}

int main(void)
{
    pthread_t thread;
    sem_init(&used, 0, 0);
    start(&thread);
    pthread_join(thread, NULL);
    return 0;
}
