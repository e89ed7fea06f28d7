// bug: data-race
// fixed: exhaustive
// The reader gives up waiting for the writer after a while, and reads all the same.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg)
{
    struct timespec until = {0, 0};
    if (pthread_rwlock_timedwrlock(&lock, &until) == 0) {
        value = 1; // BUG
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    int seen = 0;
    pthread_create(&t, NULL, writer, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    int error = pthread_rwlock_timedrdlock(&lock, &until);
#ifdef FIXED
    if (error == 0)
#endif
        seen = value; // BUG
    if (error == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return seen > 1 || (error != 0 && error != ETIMEDOUT);
}
