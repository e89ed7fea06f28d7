// bug: assertion
// fixed: exhaustive
// Both must try at once: whoever finds the lock taken loses its item.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void *add(void *arg)
{
    int error = pthread_mutex_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == EBUSY) {
#ifdef FIXED
        pthread_mutex_lock(&lock);
#else
        return NULL;
#endif
    }
    items++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(items == 2); // BUG
    return 0;
}
