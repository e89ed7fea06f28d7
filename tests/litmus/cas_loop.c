/* cas_loop.c - increments by a loop around compare-and-swap
 *
 * litmus: -DN=2 -> executions 2 redundant 2
 * litmus: -DN=3 -> executions 6 redundant 21
 * litmus: -DN=3 -O2 -> executions 6 redundant 21
 * litmus: -DN=2 -DRELOAD -> executions 2 redundant 2
 * litmus: -DN=3 -DRELOAD -> executions 6 redundant 27
 * litmus: --memory=rc11 -DN=3 -> executions 6 redundant 21
 * litmus: --memory=rc11 -DN=3 -DORDER=memory_order_relaxed -> executions 6 redundant 21
 * litmus: --memory=rc11 -DN=3 -DORDER=memory_order_relaxed -DRELOAD -> executions 6 redundant 27
 * litmus: --memory=rc11 -DN=3 -DMOST=4 -> executions 6 redundant 21
 * litmus: --memory=rc11 -O2 -DN=3 -DMOST=4 -> executions 6 redundant 21
 * litmus: -DN=3 -DMOST=4 -> executions 6 redundant 21
 * litmus: --memory=rc11 -DN=2 -DORDER=memory_order_relaxed -DFIRST=memory_order_acquire -> executions 4
 *
 * A swap that fails reads the value that the load could have read; so a thread stops there, and only the orders of the
 * swaps that succeed are told apart. Not if the load orders more than the swap that fails (-DFIRST): then the two are
 * different. That something else is asked first (-DMOST) does not matter.
 */
#include "litmus.h"

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifndef FIRST
#define FIRST ORDER
#endif

static atomic_int x;

static void *increment(void *unused)
{
    int old = atomic_load_explicit(&x, FIRST);
#ifdef MOST
    while (old >= 0 && old < MOST && !atomic_compare_exchange_weak_explicit(&x, &old, old + 1, ORDER, ORDER))
        ;
    return unused;
#endif
    while (!atomic_compare_exchange_strong_explicit(&x, &old, old + 1, ORDER, ORDER)) {
#ifdef RELOAD
        old = atomic_load_explicit(&x, ORDER);
#endif
    }
    return unused;
}

int main(void)
{
    start_all(N, increment);
    join_all();
    assert(atomic_load(&x) == N);
    return 0;
}
