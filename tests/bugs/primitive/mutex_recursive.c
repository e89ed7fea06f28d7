// bug: deadlock
// fixed: exhaustive
// A recursive mutex is free again only after as many unlocks as locks; one is missing if the flag is seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int nested;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    value++;
    if (atomic_load(&nested)) {
        assert(pthread_mutex_lock(&lock) == 0);
        assert(pthread_mutex_trylock(&lock) == 0);
        value++;
        pthread_mutex_unlock(&lock);
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&nested, 1);
    pthread_mutex_lock(&lock); // BUG
    value++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
