// bug: data-race
// fixed: exhaustive
// A read lock lets both threads in at once.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *look_up(void *arg)
{
#ifdef FIXED
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    hits++; // BUG
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look_up, NULL);
    pthread_create(&b, NULL, look_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return hits == 2 ? 0 : 1;
}
