// bug: deadlock
// fixed: exhaustive
// An error-checking mutex refuses what a normal one blocks on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    value++;
#ifdef FIXED
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
#else
    pthread_mutex_lock(&lock); // BUG
#endif
    pthread_mutex_unlock(&lock);
#ifdef FIXED
    assert(pthread_mutex_unlock(&lock) == EPERM);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
#ifdef FIXED
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
#else
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
#endif
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
    assert(pthread_mutex_unlock(&lock) == EPERM);
#endif
    pthread_join(t, NULL); // (BUG)
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
