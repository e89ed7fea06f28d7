// bug: data-race
// fixed: exhaustive
// A detached thread cannot be joined; only the semaphore tells that its result is there.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *worker(void *arg)
{
    pthread_detach(pthread_self());
    result = 1; // BUG
    sem_post(&done);
    return NULL;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    sem_wait(&done);
#endif
    int seen = result; // BUG
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&u, &attr, nothing, NULL);
    pthread_attr_destroy(&attr);
    return seen > 1;
}
