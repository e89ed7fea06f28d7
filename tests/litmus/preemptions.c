/* preemptions.c - a bound on preemptions means every schedule within it
 *
 * litmus: -> executions 6
 * litmus: --reduction=none -> executions 20
 * litmus: --preemptions=9 -> executions 20
 * litmus: --preemptions=0 -> executions 2 verdict bounded
 * litmus: --preemptions=1 -> executions 6 verdict bounded
 * litmus: --preemptions=2 -> executions 14 verdict bounded
 *
 * Two threads with two stores each: 6 classes. With the end of a thread that is 3 steps
 * each, so (6 over 3) = 20 schedules. One without preemption for each order of the threads;
 * with one preemption the first thread is cut after its first or second step, the other
 * runs through: 4 more; with two, both are cut: 8 more.
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
