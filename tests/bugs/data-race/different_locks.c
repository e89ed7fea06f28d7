// bug: data-race
// fixed: exhaustive
// Both sides hold a lock, but not the same one.
#include <pthread.h>

static pthread_mutex_t read_lock = PTHREAD_MUTEX_INITIALIZER, write_lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *reader(void *arg)
{
#ifdef FIXED
    pthread_mutex_t *lock = &write_lock;
#else
    pthread_mutex_t *lock = &read_lock;
#endif
    pthread_mutex_lock(lock);
    int seen = shared; // BUG
    pthread_mutex_unlock(lock);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&write_lock);
    shared = 1; // BUG
    pthread_mutex_unlock(&write_lock);
    pthread_join(t, NULL);
    return pthread_mutex_destroy(&read_lock);
}
