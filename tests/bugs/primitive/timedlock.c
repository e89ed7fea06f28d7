// bug: data-race
// fixed: exhaustive
// The time-out must come while the other thread holds the lock, and it is ignored.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    value++; // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    pthread_create(&t, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    int error = pthread_mutex_timedlock(&lock, &until);
#ifdef FIXED
    if (error == 0)
#endif
        value++; // BUG
    if (error == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return error == 0 || error == ETIMEDOUT ? 0 : 1;
}
