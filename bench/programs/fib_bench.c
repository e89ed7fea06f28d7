/* fib_bench.c - two threads add each other's number; main looks on
 *
 * litmus: -DN=2 -> executions 140
 * litmus: -DN=3 -> executions 1698
 * litmus: -DN=4 -> executions 19605
 * litmus long: -DN=5 -> executions 218243
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

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    for (int k = 0; k < N; k++) {
        int own = atomic_load(&i);
        int other = atomic_load(&j);
        atomic_store(&i, own + other);
    }
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < N; k++) {
        int own = atomic_load(&j);
        int other = atomic_load(&i);
        atomic_store(&j, own + other);
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
    if (atomic_load(&i) <= largest)
        assert(atomic_load(&j) <= largest);
    else
        assert(0);
    return 0;
}
