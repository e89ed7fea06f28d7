/* assume.c - an assumption about a value just read waits for it
 *
 * litmus: -DHOW=1 -> executions 1
 * litmus: -DHOW=2 -> executions 1
 * litmus: -DHOW=3 --memory=sc -> executions 1
 * litmus: -DHOW=4 -> executions 1
 * litmus: -DHOW=5 -> executions 1
 * litmus: -DHOW=6 -> executions 1
 * litmus: -DHOW=7 -> executions 1
 * litmus: -DHOW=8 -> executions 2
 * litmus: -DHOW=1 --memory=rc11 -> executions 1
 * litmus: -DHOW=5 --memory=rc11 -> executions 1
 * litmus: -DHOW=1 -DNEVER -> executions 1
 * litmus: -DHOW=6 -DNEVER -> executions 1
 * litmus: -DHOW=1 -DNEVER --memory=rc11 -> executions 1
 * litmus: -DHOW=1 -DNEVER -DFREED -> executions 1 bugs use-after-free
 * litmus: -DHOW=1 -DNEVER -DRACE -> executions 1 bugs data-race
 * litmus: -DHOW=6 -DNEVER -DRACE -> executions 1 bugs data-race
 *
 * The thread continues only after the store: one class. If the store never comes, the assumption fails, which is
 * neither a deadlock nor a livelock, although main waits for the thread. The access that fails is still checked. What is
 * done between the access and the assumption (8: another store) can be seen by others: 2.
 */
#include <stdint.h>
#include <stdlib.h>

#include "litmus.h"

extern void __VERIFIER_assume(int);
extern void sennit_assume(int);
extern void klee_assume(uintptr_t);

static atomic_int *x, other;

static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

static void *assumer(void *unused)
{
#if HOW == 1
    __VERIFIER_assume(atomic_load(x) == 1);
#elif HOW == 2
    int seen = atomic_load(x);
    sennit_assume(3 - (seen & 7) == 2 && seen);
#elif HOW == 3
    klee_assume(atomic_load_explicit(x, memory_order_acquire) > 0);
#elif HOW == 4
    assume_abort_if_not(atomic_load(&other) + atomic_load(x) == 1);
#elif HOW == 5
    int expected = 1;
    __VERIFIER_assume(atomic_compare_exchange_weak(x, &expected, 1));
#elif HOW == 6
    __VERIFIER_assume(atomic_exchange(x, 0));
#elif HOW == 7
    while (atomic_load(x) != 1)
        __VERIFIER_assume(0);
#elif HOW == 8
    int seen = atomic_load(x);
    atomic_store(&other, seen);
    __VERIFIER_assume(seen == 1);
#endif
    return unused;
}

int main(void)
{
    x = calloc(1, sizeof *x);
    start(assumer, 0);
#if defined RACE
    *(int *)x = 0;
#elif defined FREED
    free(x);
#elif !defined NEVER
    atomic_store(x, 1);
#endif
    join_all();
    assert(atomic_load(x) == 1 || HOW == 6);
#ifndef FREED
    free(x);
#endif
    return 0;
}
