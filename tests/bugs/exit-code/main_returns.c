// bug: exit-code
// fixed: exhaustive
// Main returns 3 only if it sees the state between the two stores.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *change(void *arg)
{
#ifndef FIXED
    atomic_store(&state, 1);
#endif
    atomic_store(&state, 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    int seen = atomic_load(&state);
    pthread_join(t, NULL);
    return seen == 1 ? 3 : 0;
}
