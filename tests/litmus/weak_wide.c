/* weak_wide.c - atomic objects of 16 bytes under weak memory
 *
 * litmus: -DSB --memory=rc11 -> executions 4
 * litmus: -DSB --memory=sc -> executions 3
 * litmus: -DMP -DSTORE=memory_order_release --memory=rc11 -> executions 3
 * litmus: -DMP -DSTORE=memory_order_relaxed --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DCAS --memory=rc11 -> executions 2
 * litmus: -DXCHG --memory=rc11 -> executions 2
 * litmus: -DVALUES --memory=rc11 -> executions 1
 *
 * SB: store buffering with pairs. MP: a pair as the flag. CAS: two threads exchange the initial pair for their own, and
 * the one that fails tries once more with what it found; the halves of a pair belong together. XCHG: two exchanges.
 * VALUES: what is stored is loaded, whatever it is.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef STORE
#define STORE memory_order_relaxed
#endif

typedef struct Pair {
    uint64_t low, high;
} Pair;

static _Atomic Pair x, y;
static atomic_int data;

static Pair load(_Atomic Pair *from, memory_order order) { return atomic_load_explicit(from, order); }

static void *first(void *unused)
{
    Pair own = {1, 2};
    (void)own;
#if defined SB
    atomic_store_explicit(&x, own, memory_order_relaxed);
    load(&y, memory_order_relaxed);
#elif defined MP
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&x, own, STORE);
#elif defined XCHG
    Pair old = atomic_exchange_explicit(&x, own, memory_order_relaxed);
    assert(old.low + 1 == old.high || old.high == 0);
#elif defined CAS
    Pair found = {0, 0};
    if (!atomic_compare_exchange_strong_explicit(&x, &found, own, memory_order_relaxed, memory_order_relaxed)) {
        assert(found.low == 3 && found.high == 4);
        assert(atomic_compare_exchange_strong_explicit(&x, &found, own, memory_order_relaxed, memory_order_relaxed));
    }
#endif
    return unused;
}

static void *second(void *unused)
{
    Pair own = {3, 4};
    (void)own;
#if defined SB
    atomic_store_explicit(&y, own, memory_order_relaxed);
    load(&x, memory_order_relaxed);
#elif defined MP
    Pair found = load(&x, memory_order_acquire);
    int seen = atomic_load_explicit(&data, memory_order_relaxed);
    assert(found.high == 0 || (found.low == 1 && seen == 1));
#elif defined XCHG
    Pair old = atomic_exchange_explicit(&x, own, memory_order_relaxed);
    assert(old.low + 1 == old.high || old.high == 0);
#elif defined CAS
    Pair found = {0, 0};
    if (!atomic_compare_exchange_strong_explicit(&x, &found, own, memory_order_relaxed, memory_order_relaxed)) {
        assert(found.low == 1 && found.high == 2);
        assert(atomic_compare_exchange_strong_explicit(&x, &found, own, memory_order_relaxed, memory_order_relaxed));
    }
#endif
    return unused;
}

static void try_value(uint64_t low, uint64_t high)
{
    Pair own = {low, high};
    atomic_store_explicit(&y, own, memory_order_relaxed);
    Pair found = load(&y, memory_order_relaxed);
    assert(found.low == low && found.high == high);
}

/* Powers of two, their neighbours and their negatives, in both halves. */
static void try_values(void)
{
    static const unsigned char shifts[] = {0, 12, 13, 29, 30, 31, 47, 48, 61, 63};
    for (unsigned i = 0; i < sizeof shifts; i++)
        for (unsigned k = 0; k < sizeof shifts; k++) {
            uint64_t a = 1ull << shifts[i], b = 1ull << shifts[k];
            try_value(a, b);
            try_value(a - 1, b - 1);
            try_value(-a, b - 1);
            try_value(a - 1, -b);
            try_value(a + 1, 0);
            try_value(0, -b - 1);
        }
}

int main(void)
{
#ifdef VALUES
    try_values();
    return 0;
#endif
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    Pair last = load(&x, memory_order_relaxed);
    assert(last.high == 0 || last.high == last.low + 1);
    return 0;
}
