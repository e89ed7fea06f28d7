// bug: crash
// fixed: exhaustive
// The thread uses the handle before main has turned it into an address.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int value = 7;
static _Atomic uintptr_t handle = 0x10;

static void *reader(void *arg)
{
    int *it = (int *)atomic_load(&handle);
    return *it == 7 ? NULL : arg; // BUG
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&handle, (uintptr_t)&value);
#endif
    pthread_create(&t, NULL, reader, NULL);
#ifndef FIXED
    atomic_store(&handle, (uintptr_t)&value);
#endif
    pthread_join(t, NULL);
    return 0;
}
