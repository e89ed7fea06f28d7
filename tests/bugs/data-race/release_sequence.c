// bug: data-race
// fixed: exhaustive
// The reader must see the second thread's value; a read-modify-write carries the release on, a store cuts it.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int state;

static void *writer(void *arg)
{
    data = 1; // BUG
    atomic_store_explicit(&state, 1, memory_order_release);
    return NULL;
}

static void *relay(void *arg)
{
#ifdef FIXED
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_relaxed,
                                            memory_order_relaxed);
#else
    if (atomic_load_explicit(&state, memory_order_relaxed) == 1)
        atomic_store_explicit(&state, 2, memory_order_relaxed);
#endif
    return NULL;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&state, memory_order_acquire) == 2)
        return data ? NULL : arg; // BUG
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, relay, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
