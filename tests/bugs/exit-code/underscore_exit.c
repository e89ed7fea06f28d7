// bug: exit-code
// fixed: exhaustive
// _exit with the count that one schedule leaves at 1.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int errors;

static void *worker(void *arg)
{
#ifndef FIXED
    atomic_fetch_add(&errors, 1);
#endif
    atomic_store(&errors, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    _exit(atomic_load(&errors)); // BUG
}
