/* wide.c - atomic objects of 16 bytes: how their values are shown */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Pair {
    void *target;
    long count;
} Pair;

static _Atomic Pair pair;
static int object;

static void *swap(void *unused)
{
    Pair own = {&object, 2}, none = {0, 0};
    atomic_compare_exchange_strong_explicit(&pair, &none, own, memory_order_relaxed, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    Pair small = {0, -5}, large = {0, 1l << 60};
    pthread_create(&thread, NULL, swap, NULL);
    pthread_join(thread, NULL);
    atomic_store_explicit(&pair, small, memory_order_relaxed);
    atomic_store_explicit(&pair, large, memory_order_relaxed);
    Pair last = atomic_load(&pair);
    assert(last.count != 1l << 60);
}
