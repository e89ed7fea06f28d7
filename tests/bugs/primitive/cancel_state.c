// bug: assertion
// fixed: exhaustive
// The request must come while the thread is between its two stores and may be cancelled there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int opened, closed;

static void *worker(void *arg)
{
#ifdef FIXED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    atomic_store(&opened, 1);
    pthread_testcancel();
    atomic_store(&closed, 1);
#ifdef FIXED
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == NULL || value == PTHREAD_CANCELED);
    assert(opened == closed); // BUG
    return 0;
}
