/* preemptions.c - a bound on preemptions means every schedule within it
 *
 * litmus: -> executions 6
 * litmus: --preemptions=9 -> executions any verdict exhaustive
 * litmus: --preemptions=0 -> executions any verdict bounded
 * litmus: --preemptions=1 -> executions any verdict bounded
 *
 * Without a bound: two threads with two stores each, 6 classes.
 */
#include "litmus.h"

static atomic_int x;

static void *body(void *argument)
{
    atomic_store(&x, number_of(argument));
    atomic_store(&x, number_of(argument) + 10);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    return 0;
}
