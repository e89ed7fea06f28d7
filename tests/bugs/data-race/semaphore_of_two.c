// bug: data-race
// fixed: exhaustive
// A semaphore that starts at two is no mutex: both threads must be inside at once.
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int hits;

static void *enter(void *arg)
{
    sem_wait(&gate);
    hits++; // BUG
    sem_post(&gate);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
#ifdef FIXED
    sem_init(&gate, 0, 1);
#else
    sem_init(&gate, 0, 2);
#endif
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return hits == 2 ? 0 : 1;
}
