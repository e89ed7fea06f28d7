/* casw.c - each thread tries to take a variable by compare-and-swap, then stores its own value
 *
 * litmus: -DN=3 -> executions 66
 * litmus: -DN=5 -> executions 32880
 *
 * The values are such that only the first compare-and-swap before any store succeeds.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *body(void *argument)
{
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    atomic_store(&x, number_of(argument) + 2);
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all();
    return 0;
}
