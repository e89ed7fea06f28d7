/* weak_fib.c - two threads add each other's variable to their own, with release and acquire
 *
 * litmus: --memory=rc11 -DN=3 -> executions 175
 *
 * fib_bench.c with weaker orders, and nobody looks at the sums.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x = 1, y = 1;

static void add(atomic_int *to, atomic_int *other)
{
    int sum = atomic_load_explicit(to, memory_order_acquire) + atomic_load_explicit(other, memory_order_acquire);
    atomic_store_explicit(to, sum, memory_order_release);
}

static void *body(void *argument)
{
    for (int i = 0; i < N; i++)
        add(number_of(argument) ? &x : &y, number_of(argument) ? &y : &x);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all();
    return 0;
}
