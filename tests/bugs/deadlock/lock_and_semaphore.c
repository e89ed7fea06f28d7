// bug: deadlock
// fixed: exhaustive
// The waiter must lock first: whoever posts needs the lock that the waiter keeps.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t filled;
static int item;

static void *taker(void *arg)
{
#ifdef FIXED
    sem_wait(&filled);
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    sem_wait(&filled); // BUG
#endif
    item = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *giver(void *arg)
{
    pthread_mutex_lock(&lock); // BUG
    item = 1;
    pthread_mutex_unlock(&lock);
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    pthread_t t, g;
    sem_init(&filled, 0, 0);
    pthread_create(&t, NULL, taker, NULL);
    pthread_create(&g, NULL, giver, NULL);
    pthread_join(t, NULL); // (BUG)
    pthread_join(g, NULL); // (BUG)
    return 0;
}
