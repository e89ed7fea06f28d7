// bug: assertion
// fixed: exhaustive
// Main ends by pthread_exit and leaves the others running; its last store may come too late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int configured;

static void *worker(void *arg)
{
    assert(atomic_load(&configured)); // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&configured, 1);
#endif
    pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
    atomic_store(&configured, 1);
#endif
    pthread_exit(NULL);
}
