// bug: data-race
// fixed: exhaustive
// Main must find the lock taken: a failed trylock orders nothing.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *holder(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    ready = 1;
#else
    ready = 1; // BUG
    pthread_mutex_lock(&lock);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, holder, NULL);
    if (pthread_mutex_trylock(&lock) != 0)
#ifdef FIXED
        pthread_mutex_lock(&lock);
    seen = ready;
#else
        seen = ready; // BUG
    else
#endif
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen > 1;
}
