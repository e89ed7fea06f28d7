/* casrot.c - threads that can only act one after another in the order of their numbers
 *
 * litmus: -DN=4 -> executions 14
 * litmus: -DN=10 -> executions 38486
 * litmus long: -DN=12 -> executions 919146
 *
 * Thread i replaces i - 1 by i. A compare-and-swap that fails is a read.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 10
#endif

static atomic_int x;

static void *body(void *argument)
{
    int i = number_of(argument);
    int expected = i - 1;
    atomic_compare_exchange_strong(&x, &expected, i);
    return NULL;
}

int main(void)
{
    for (int i = 1; i <= N; i++)
        start(body, i);
    join_all();
    return 0;
}
