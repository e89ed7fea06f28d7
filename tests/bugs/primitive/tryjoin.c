// bug: data-race
// fixed: exhaustive
// A thread that is still running cannot be joined yet; its result is read anyway.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static int result;

static void *compute(void *arg)
{
    result = 1; // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, compute, NULL);
    int error = pthread_tryjoin_np(t, NULL);
    if (error != 0 && error != EBUSY)
        return 1;
#ifdef FIXED
    if (error == EBUSY)
        pthread_join(t, NULL);
    int seen = result;
#else
    int seen = result; // BUG
    if (error == EBUSY)
        pthread_join(t, NULL);
#endif
    return seen > 1;
}
