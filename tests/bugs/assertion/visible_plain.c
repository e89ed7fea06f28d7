// bug: assertion
// fixed: exhaustive
// options: --plain=visible
// With plain accesses as steps, the racy increment loses an update instead of being reported as a race.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    counter++;
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
    assert(counter == 2); // BUG
    pthread_mutex_destroy(&lock);
    return 0;
}
