// bug: bounds
// fixed: exhaustive
// Two reservations of the last slot: the second one writes behind the array, far from its end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next = 3;
static struct { int value[16]; } slots[4];

static void *reserve(void *arg)
{
    int slot = atomic_fetch_add(&next, 1);
#ifdef FIXED
    if (slot >= 4)
        return NULL;
#endif
    slots[slot].value[7] = 1; // BUG
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reserve, NULL);
    reserve(NULL);
    pthread_join(t, NULL);
    return 0;
}
