// bug: use-after-free
// fixed: exhaustive
// The block must be freed between the reader's look at the pointer and its use, both under the lock.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    int *it = shared;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    int seen = it ? *it : 0; // BUG
    pthread_mutex_unlock(&lock);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    shared = calloc(1, sizeof *shared); // (BUG)
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    free(shared); // (BUG)
    shared = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
