// bug: crash
// fixed: exhaustive
// The state is neither of the two the switch knows only between the two stores.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *change(void *arg)
{
#ifndef FIXED
    atomic_store(&state, 7);
#endif
    atomic_store(&state, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    switch (atomic_load(&state)) {
    case 0:
    case 1:
        break;
    default:
        __builtin_trap(); // BUG
    }
    pthread_join(t, NULL);
    return 0;
}
