/* interleavings.c - without reduction every interleaving is an execution
 *
 * litmus: --reduction=none -> executions 6
 * litmus: --reduction=source -> executions 1
 * litmus: -> executions 1
 *
 * Two threads that share nothing have 2 steps each, the store and the end: (4 over 2).
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
