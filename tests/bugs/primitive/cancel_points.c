// bug: leak
// fixed: exhaustive
// options: --check=leak
// The request must come while the thread holds its block, and sem_wait is a cancellation point.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t go;

static void *worker(void *arg)
{
    char *block = malloc(16); // BUG
#ifdef FIXED
    pthread_cleanup_push(free, block);
#endif
    sem_wait(&go);
#ifdef FIXED
    pthread_cleanup_pop(0);
#endif
    free(block);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&go, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_post(&go);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
