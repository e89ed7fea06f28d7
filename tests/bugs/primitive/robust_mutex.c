// bug: assertion
// fixed: exhaustive
// The owner ends with the lock; whoever gets it next must declare the data consistent, or nobody gets it again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *die(void *arg)
{
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    value++;
    return NULL;
}

static int recover(void)
{
    int error = pthread_mutex_lock(&lock);
    if (error == EOWNERDEAD) {
#ifdef FIXED
        pthread_mutex_consistent(&lock);
#endif
        error = 0;
    }
    if (error == 0)
        pthread_mutex_unlock(&lock);
    return error;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, die, NULL);
    assert(recover() == 0);
    assert(recover() == 0); // BUG
    pthread_join(t, NULL);
    return 0;
}
