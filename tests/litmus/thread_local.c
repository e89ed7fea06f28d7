/* thread_local.c - each thread has its own copy, fresh in every execution
 *
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=3 -DPRIVATE -> executions 1
 *
 * Only the shared total is ordered (its old value is used): N!.
 */
#include "litmus.h"

static _Thread_local int own = 7;
static atomic_int total;

static void *body(void *argument)
{
    assert(own == 7);
    own += number_of(argument);
    int *address = &own;
    assert(*address == 7 + number_of(argument));
#ifndef PRIVATE
    int old = atomic_fetch_add(&total, own);
    assert(old >= 0);
#endif
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all();
    assert(own == 7);
    return 0;
}
