/* assume_lock.c - a lock in phases whose waits are assumptions
 *
 * litmus: -> executions 31
 * litmus: -DUNSEEN -> executions 103
 * litmus: -DBROKEN -> executions any bugs assertion
 *
 * Szymanski's lock for two threads. Of the executions 6 come to their end, however the assumptions are written; in the
 * others a thread waits for what never comes, one for each class of what was done before.
 */
#include "litmus.h"

extern void __VERIFIER_assume(int);

enum { OUT, WANTS, WAITS, ENTERING, INSIDE };

static atomic_int phase[2], inside;

#ifdef UNSEEN
static __attribute__((noinline)) void later(int condition, int depth)
{
    if (depth)
        later(condition, depth - 1);
    else
        __VERIFIER_assume(condition);
}
#define assume(condition) later(condition, 1)
#else
#define assume(condition) __VERIFIER_assume(condition)
#endif

static void *contender(void *argument)
{
    int me = (int)(long)argument;
    atomic_int *mine = &phase[me], *theirs = &phase[1 - me];
    atomic_store(mine, WANTS);
    assume(atomic_load(theirs) < ENTERING);
    atomic_store(mine, ENTERING);
    if (atomic_load(theirs) == WANTS) {
        atomic_store(mine, WAITS);
        assume(atomic_load(theirs) == INSIDE);
    }
    atomic_store(mine, INSIDE);
#ifndef BROKEN
    assume(atomic_load(theirs) < WAITS);
#endif
    atomic_store(&inside, me);
    assert(atomic_load(&inside) == me);
    assume(atomic_load(theirs) < WAITS || atomic_load(theirs) > ENTERING);
    atomic_store(mine, OUT);
    return NULL;
}

int main(void)
{
    start(contender, 0);
    start(contender, 1);
    return 0;
}
