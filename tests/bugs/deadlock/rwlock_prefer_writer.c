// bug: deadlock
// fixed: exhaustive
// executions: 2
//
// A lock that prefers writers makes a reader wait while a writer waits, so a thread must not lock it for reading twice.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;

static void *write_once(void *unused)
{
    pthread_rwlock_wrlock(&lock); // BUG
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
#ifdef FIXED /* the name promises more than glibc keeps: readers do not wait for writers that wait */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NP);
#else
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&writer, NULL, write_once, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); // BUG
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(writer, NULL);
    return 0;
}
