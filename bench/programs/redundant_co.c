/* redundant_co.c - two threads store one variable N times each, a third loads it twice
 *
 * litmus: -DN=2 -> executions 90
 * litmus: -DN=5 -> executions 16632
 *
 * (2N over N) orders of the stores; two loads in program order fall into 2N + 1 gaps:
 * (2N + 1)(2N + 2) / 2 ways. N = 5: 252 * 66.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *writer(void *argument)
{
    for (int k = 0; k < N; k++)
        atomic_store(&x, number_of(argument) * N + k);
    return NULL;
}

static void *reader(void *unused)
{
    (void)atomic_load(&x);
    (void)atomic_load(&x);
    return unused;
}

int main(void)
{
    start_all(2, writer);
    start(reader, 0);
    join_all();
    return 0;
}
