/* recursion.c - a function that calls itself until another thread has stored something
 *
 * litmus: -O2 -> executions 3
 * litmus: -O2 -DNEVER -> executions 1 bugs livelock
 * litmus: -DNEVER -> executions 1 verdict bounded bugs crash
 * litmus: --max-steps=3 -> executions 4 verdict bounded
 *
 * Optimised it is a loop that waits. As written each call needs more of the stack: where the store never comes, it
 * overflows, in the replay at the same step. Three steps of the thread have four places in which the store may come.
 */
#include "litmus.h"

static atomic_int flag;

static int await(int calls)
{
    return flag ? calls : await(calls + 1) + 1;
}

static void *wait_for_it(void *unused)
{
    await(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, NULL);
#ifndef NEVER
    flag = 1;
#endif
    pthread_join(t, NULL);
    return 0;
}
