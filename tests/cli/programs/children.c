/* Threads of which only the first begin, with --max-children. Their creator cannot tell. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

enum { THREADS = 5 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            return 1;
#ifdef LOOK
    void *result;
    assert(!pthread_equal(threads[3], threads[4]) && pthread_tryjoin_np(threads[3], &result) == EBUSY);
    assert(pthread_cancel(threads[3]) == 0 && pthread_setname_np(threads[4], "last") == 0 && pthread_detach(threads[4]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
#else
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return count != THREADS; /* not reached by whoever waits for a thread that does not begin */
#endif
}
