// bug: deadlock
// fixed: exhaustive
// A thread that waits for work when main returns is no deadlock; main waiting for it is one.
#include <pthread.h>
#include <semaphore.h>

static sem_t work, done;

static void *daemon_main(void *arg)
{
    for (;;) {
        sem_wait(&work); // (BUG)
        sem_post(&done);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&work, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, daemon_main, NULL);
    sem_post(&work);
    sem_wait(&done);
#ifndef FIXED
    sem_wait(&done); // BUG
#endif
    return 0;
}
