/* weak_wide.c - atomic objects of 16 bytes under weak memory
 *
 * litmus: -DSB --memory=rc11 -> executions 4
 * litmus: -DSB --memory=sc -> executions 3
 * litmus: -DMP -DSTORE=memory_order_release --memory=rc11 -> executions 3
 * litmus: -DMP -DSTORE=memory_order_relaxed --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DCAS --memory=rc11 -> executions 2
 * litmus: -DXCHG --memory=rc11 -> executions 2
 *
 * SB: store buffering with pairs. MP: a pair as the flag. CAS: two threads exchange the initial pair for their own, and
 * the one that fails tries once more with what it found; the halves of a pair belong together. XCHG: two exchanges.
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

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    Pair last = load(&x, memory_order_relaxed);
    assert(last.high == 0 || last.high == last.low + 1);
    return 0;
}
