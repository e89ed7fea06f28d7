/* assume_bag.c - takers of a bag assume that it holds something
 *
 * litmus: -DPUTS=1 -DTAKERS=1 -> executions 1
 * litmus: -DPUTS=2 -DTAKERS=1 -> executions 6
 * litmus: -DPUTS=2 -DTAKERS=2 -> executions 32
 * litmus: -DPUTS=2 -DTAKERS=2 -DUNSEEN -> executions 114
 * litmus: -DPUTS=1 -DTAKERS=2 -> executions 2
 *
 * A queue like that of Herlihy and Wing: a putter reserves a slot, then fills it. A taker reads how many slots there are
 * and empties the first that is full, so the load that says 0 is in vain, and so is the last exchange that finds nothing:
 * whether it is the last was known before.
 */
#include "litmus.h"

extern void __VERIFIER_assume(int);

static atomic_int reserved, slot[PUTS];

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

static void *putter(void *argument)
{
    int place = atomic_fetch_add(&reserved, 1);
    atomic_store(&slot[place], 1 + place);
    return argument;
}

static void *taker(void *argument)
{
    int most = atomic_load(&reserved), got = 0;
    for (int i = 0; got == 0; i++) {
        assume(i < most);
        got = atomic_exchange(&slot[i], 0);
    }
    assert(got <= PUTS);
    return argument;
}

int main(void)
{
    for (long i = 0; i < PUTS; i++)
        start(putter, (int)i);
    for (long i = 0; i < TAKERS; i++)
        start(taker, (int)i);
    return 0;
}
