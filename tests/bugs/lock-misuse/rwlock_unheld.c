// bug: lock-misuse
// fixed: exhaustive
// A reader that gave up still unlocks.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock); // (BUG)
    value++;
    pthread_rwlock_unlock(&lock); // (BUG)
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int got = pthread_rwlock_tryrdlock(&lock);
#ifdef FIXED
    if (got == 0)
#endif
        pthread_rwlock_unlock(&lock); // BUG
    pthread_join(t, NULL);
    return got < 0;
}
