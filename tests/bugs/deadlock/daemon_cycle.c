// bug: deadlock
// fixed: exhaustive
// The cycle of two detached threads is a deadlock although main has long returned.
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&log_lock); // BUG
    pthread_mutex_unlock(&log_lock);
    pthread_rwlock_unlock(&table);
    return NULL;
}

static void *writer(void *arg)
{
#ifdef FIXED
    pthread_rwlock_wrlock(&table);
    pthread_mutex_lock(&log_lock);
#else
    pthread_mutex_lock(&log_lock);
    pthread_rwlock_wrlock(&table); // BUG
#endif
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&log_lock);
    return NULL;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_detach(r);
    pthread_detach(w);
    return 0;
}
