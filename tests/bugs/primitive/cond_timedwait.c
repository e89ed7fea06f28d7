// bug: assertion
// fixed: exhaustive
// The time must run out before the signal comes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    int error = 0;
    pthread_create(&t, NULL, setter, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec = 0;
    until.tv_sec += 2;
    pthread_mutex_lock(&lock);
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&changed, &lock, &until);
#ifdef FIXED
    assert(ready || error == ETIMEDOUT);
#else
    assert(ready); // BUG
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
