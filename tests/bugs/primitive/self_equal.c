// bug: assertion
// fixed: exhaustive
// The owner's name is stored by whoever comes last; each thread compares it with its own.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;

static void *claim(void *arg)
{
    pthread_mutex_lock(&lock);
    owner = pthread_self();
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    assert(pthread_equal(owner, pthread_self())); // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, claim, NULL);
    assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_equal(owner, a) || pthread_equal(owner, b));
    return 0;
}
