// bug: lock-misuse
// fixed: exhaustive
// The thread must come late: its lock is already gone.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int registered;

static void *worker(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    atomic_store(&registered, 1);
#else
    atomic_store(&registered, 1);
    pthread_mutex_lock(&lock); // BUG
    pthread_mutex_unlock(&lock); // (BUG)
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load(&registered))
        ;
    pthread_mutex_destroy(&lock); // (BUG)
    pthread_join(t, NULL);
    return 0;
}
