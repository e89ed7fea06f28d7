// bug: assertion
// fixed: exhaustive
// executions: 3
// redundant: 8
// The reader sees half an update if it does not look at the sequence number a second time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, 1);
    atomic_store(&high, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int l, h;
    pthread_create(&t, NULL, writer, NULL);
    for (;;) {
        unsigned before = atomic_load(&sequence);
        if (before & 1)
            continue;
        l = atomic_load(&low);
        h = atomic_load(&high);
#ifdef FIXED
        if (atomic_load(&sequence) == before)
#endif
            break;
    }
    assert(l == h); // BUG
    pthread_join(t, NULL);
    return 0;
}
