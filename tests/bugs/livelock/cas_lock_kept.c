// bug: livelock
// fixed: exhaustive
// The thread returns without giving the lock back if it sees the abort flag inside.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner, aborted;

static void lock(int me)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&owner, &nobody, me)) // BUG
        nobody = 0;
}

static void *worker(void *arg)
{
    lock(1);
#ifndef FIXED
    if (atomic_load(&aborted))
        return NULL;
#endif
    atomic_store(&owner, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&aborted, 1);
    lock(2);
    atomic_store(&owner, 0);
    pthread_join(t, NULL);
    return 0;
}
