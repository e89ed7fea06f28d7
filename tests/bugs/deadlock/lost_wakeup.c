// bug: deadlock
// fixed: exhaustive
// The signal must fall between the waiter's look at the flag and its wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&ready))
        pthread_cond_wait(&ready_cond, &lock); // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&ready, 1);
    pthread_cond_signal(&ready_cond);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL); // (BUG)
    return 0;
}
