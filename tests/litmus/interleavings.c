/* interleavings.c - without reduction every interleaving is an execution
 *
 * litmus: --reduction=none -> executions any
 * litmus: --reduction=source -> executions 1
 * litmus: -> executions 1
 *
 * Two threads that share nothing.
 */
#include "litmus.h"

static atomic_int x[2];

static void *body(void *argument)
{
    atomic_store(&x[number_of(argument)], 1);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    return 0;
}
