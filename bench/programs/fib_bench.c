/* fib_bench.c - two threads add each other's number; main looks on
 *
 * litmus: -DN=2 -> executions 140
 * litmus: -DN=3 -> executions 1698
 * litmus: -DN=4 -> executions 19605
 * litmus: -DWEAK -DN=3 --memory=tso -> executions 2258
 * litmus: -DWEAK -DN=4 --memory=rc11 -> executions 34205
 * litmus: -DWEAK -DN=4 --memory=rc11 -j 2 -> executions 34205
 * litmus long: -DN=5 -> executions 218243
 * litmus long: -DWEAK -DN=5 --memory=rc11 -j 4 -> executions 525630
 *
 * i and j start at 1. The largest value either can reach is the Fibonacci number
 * fib(2N + 2); main reads i and then j while the threads run, and never joins them.
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 3
#endif
#ifdef WEAK
enum { LOAD = memory_order_acquire, STORE = memory_order_release };
#else
enum { LOAD = memory_order_seq_cst, STORE = memory_order_seq_cst };
#endif

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    for (int k = 0; k < N; k++) {
        int own = atomic_load_explicit(&i, LOAD);
        int other = atomic_load_explicit(&j, LOAD);
        atomic_store_explicit(&i, own + other, STORE);
    }
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < N; k++) {
        int own = atomic_load_explicit(&j, LOAD);
        int other = atomic_load_explicit(&i, LOAD);
        atomic_store_explicit(&j, own + other, STORE);
    }
    return unused;
}

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    int largest = fib(2 * N + 2);
    start(add_to_i, 0);
    start(add_to_j, 0);
    if (atomic_load_explicit(&i, LOAD) <= largest)
        assert(atomic_load_explicit(&j, LOAD) <= largest);
    else
        assert(0);
    return 0;
}
