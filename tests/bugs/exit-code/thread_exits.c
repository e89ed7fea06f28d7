// bug: exit-code
// fixed: exhaustive
// A thread ends the whole program with a failure if it finds the queue empty.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int queued;

static void *consumer(void *arg)
{
    if (!atomic_load(&queued))
        exit(4); // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&queued, 1);
#endif
    pthread_create(&t, NULL, consumer, NULL);
#ifndef FIXED
    atomic_store(&queued, 1);
#endif
    pthread_join(t, NULL);
    return 0;
}
