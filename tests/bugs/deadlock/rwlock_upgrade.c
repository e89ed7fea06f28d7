// bug: deadlock
// fixed: exhaustive
// A reader that finds the cache stale asks for the write lock while it still holds the read lock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int stale;
static int cache;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int old = cache;
    if (atomic_load(&stale)) {
#ifdef FIXED
        pthread_rwlock_unlock(&lock);
#endif
        pthread_rwlock_wrlock(&lock); // BUG
        cache = old + 1;
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&stale, 1);
    pthread_join(t, NULL); // (BUG)
    return 0;
}
