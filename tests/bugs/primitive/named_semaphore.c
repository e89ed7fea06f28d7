// bug: deadlock
// fixed: exhaustive
// The same name is the same semaphore; the misspelt one is posted in vain.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#ifdef FIXED
#define NAME "/ready"
#else
#define NAME "/raedy"
#endif

static void *poster(void *arg)
{
    sem_t *ready = sem_open(NAME, O_CREAT, 0600, 0);
    sem_post(ready);
    sem_close(ready);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_t *ready = sem_open("/ready", O_CREAT, 0600, 0);
    if (ready == SEM_FAILED)
        return 1;
    pthread_create(&t, NULL, poster, NULL);
    sem_wait(ready); // BUG
    pthread_join(t, NULL);
    sem_close(ready);
    sem_unlink("/ready");
    return 0;
}
