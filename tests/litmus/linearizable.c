/* linearizable.c - histories of objects tell schedules apart by which operations had returned when others were called
 *
 * litmus: -DPART=0 -> executions 4
 * litmus: -DPART=0 -DCALLERS=3 -> executions 42
 * litmus: -DPART=0 -DEACH=2 -> executions 44
 * litmus: -DPART=1 -> executions 6 bugs assertion
 * litmus: -DPART=1 -DEACH=2 -> executions 132 bugs assertion
 * litmus: -DPART=2 -> executions 5 bugs assertion
 * litmus: -DPART=3 -> executions 3
 * litmus: -DPART=4 -> executions 5
 * litmus: -DPART=5 -> executions 7 bugs assertion
 * litmus: -DPART=0 --memory=rc11 -> executions 0 verdict any exit 2
 *
 * 0: each caller increments an atomic counter. One operation is before the other, or after it, or they overlap with the
 * increments in either order; three callers: the sum of the linear extensions of all 19 partial orders. 1: the
 * increment is a load and a store: two callers may get the same number. 2: a write returns before it is seen: a read
 * that was called after that gets the old value, though no caller can tell by itself. 3: a write that never returns may
 * have happened, or not. 4: the value written is an input: where they overlap and the read came first, the write can be
 * put first if the value is 0, else not. 5: a specification that negates: both paths wherever the value is compared.
 * Under weak memory there is no order in which operations return: refused.
 */
#include "litmus.h"

#include <pthread.h>
#include <stdatomic.h>

#include <sennit/linearizable.h>

#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef EACH
#define EACH 1
#endif

enum { INCREMENT, WRITE, READ };

static long specified(void *state, int operation, long argument)
{
    long *value = (long *)state;
    switch (operation) {
    case INCREMENT: return (*value)++;
    case WRITE: *value = argument; return 0;
    default: return PART == 5 ? -*value : *value;
    }
}
SENNIT_LINEARIZABLE(history, "register", long, specified);

static atomic_long number;

static long increment(void)
{
    if (PART == 0)
        return atomic_fetch_add(&number, 1);
    long old = number;
    number = old + 1;
    return old;
}

static void *counts(void *caller)
{
    for (int i = 0; i < EACH; i++) {
        sennit_invoke(&history, (unsigned)(long)caller, INCREMENT, 0);
        sennit_return(&history, (unsigned)(long)caller, increment());
    }
    return NULL;
}

static void *writes(void *caller)
{
    long value = PART < 4 ? 1 : sennit_int("value");
    sennit_invoke(&history, (unsigned)(long)caller, WRITE, value);
    if (PART != 2)
        number = value;
    if (PART != 3)
        sennit_return(&history, (unsigned)(long)caller, 0);
    if (PART == 2)
        number = value;
    return NULL;
}

static void *reads(void *caller)
{
    sennit_invoke(&history, (unsigned)(long)caller, READ, 0);
    sennit_return(&history, (unsigned)(long)caller, number);
    return NULL;
}

int main(void)
{
    pthread_t threads[CALLERS];
    for (long i = 0; i < CALLERS; i++)
        pthread_create(&threads[i], NULL, PART < 2 ? counts : i ? reads : writes, (void *)i);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    sennit_linearizable(&history);
    return 0;
}
