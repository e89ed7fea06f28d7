// bug: assertion
// fixed: exhaustive
// The consumer that was woken finds its item taken by one that did not have to wait.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;

static void put(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void *get(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (count == 0)
#else
    if (count == 0)
#endif
        pthread_cond_wait(&filled, &lock);
    count--;
    assert(count >= 0); // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    put();
    put();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
