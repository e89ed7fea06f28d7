// bug: crash
// fixed: exhaustive
// The program gives up if it sees the state in mid-change.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

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
    if (atomic_load(&state) == 1)
        abort(); // BUG
    pthread_join(t, NULL);
    return 0;
}
