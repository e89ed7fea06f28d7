// bug: use-after-free
// fixed: exhaustive
// Uses a thread-local variable of a thread that may end meanwhile.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int count;
static int *published;
static sem_t ready, done;

static void *publish(void *unused)
{
    count = 1;
    published = &count;
    sem_post(&ready); // (BUG)
#ifdef FIXED
    sem_wait(&done);
#endif
    return unused; // (BUG)
} // (BUG)

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, publish, NULL);
    sem_wait(&ready);
    int seen = *published; // BUG
    sem_post(&done);
    pthread_join(thread, NULL);
    return seen - 1;
}
