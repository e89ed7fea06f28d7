// bug: deadlock
// fixed: exhaustive
// Three threads wait for each other's end; the last one joins only if main was quick to ask.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_t t[3];
static sem_t started;
static atomic_int chained;

static void *member(void *arg)
{
    int i = *(int *)arg;
    sem_wait(&started);
    sem_post(&started);
#ifdef FIXED
    if (i < 2)
#else
    if (i < 2 || atomic_load(&chained))
#endif
        pthread_join(t[(i + 1) % 3], NULL); // BUG
    return NULL;
}

int main(void)
{
    static int number[3] = {0, 1, 2};
    sem_init(&started, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, member, &number[i]);
    sem_post(&started);
    atomic_store(&chained, 1);
    pthread_exit(NULL);
}
