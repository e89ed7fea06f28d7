// bug: data-race
// fixed: exhaustive
// Nothing orders the two increments, whatever the schedule.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    counter++; // BUG
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&lock);
    return counter == 2 ? 0 : 1;
}
