// bug: data-race
// fixed: exhaustive
// The store comes after the unlock, so only the other thread's access in between is ordered.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    int sum = total + 1; // (BUG)
#ifdef FIXED
    total = sum;
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_unlock(&lock);
    total = sum; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    pthread_mutex_lock(&lock);
    total = 10; // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
