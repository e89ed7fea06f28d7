// bug: division
// fixed: exhaustive
// The average is taken while no sample has been counted yet.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int samples;

static void *sampler(void *arg)
{
    atomic_fetch_add(&samples, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    volatile int sum = 10;
    pthread_create(&t, NULL, sampler, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    int average = sum / atomic_load(&samples); // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    return average == 10 ? 0 : 1;
}
