/* cas_loop.c - increments by a loop around compare-and-swap
 *
 * litmus: -DN=2 -> executions 4
 * litmus: -DN=3 -> executions 48
 * litmus: -DN=2 -DRELOAD -> executions 4
 * litmus: -DN=3 -DRELOAD -> executions 60
 *
 * N = 2: the loads and the successful swaps in one of 4 orders (2 of them with a swap
 * that fails and is repeated). With RELOAD an attempt that failed loads again, which may
 * come before or after what a third thread does meanwhile.
 */
#include "litmus.h"

static atomic_int x;

static void *increment(void *unused)
{
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 1)) {
#ifdef RELOAD
        old = atomic_load(&x);
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
