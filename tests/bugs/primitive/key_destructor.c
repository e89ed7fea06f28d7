// bug: data-race
// fixed: exhaustive
// A key's destructor runs in its thread before the join returns, but after the last line of the thread.
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t finished;
static int closed;

static void close_it(void *value)
{
    closed += *(int *)value; // BUG
}

static void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    sem_post(&finished);
    return NULL;
}

int main(void)
{
    static int one = 1;
    pthread_t t;
    sem_init(&finished, 0, 0);
    pthread_key_create(&key, close_it);
    pthread_create(&t, NULL, worker, &one);
    sem_wait(&finished);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    int seen = closed; // BUG
#ifdef FIXED
    return seen == 1 ? 0 : 1;
#else
    pthread_join(t, NULL);
    return seen > 1;
#endif
}
