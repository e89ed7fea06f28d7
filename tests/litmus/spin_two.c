/* spin_two.c - a spin loop over two variables
 *
 * litmus: -DBOTH -> executions 4
 * litmus: -DEITHER -> executions 6
 *
 * Each flag is set by a thread of its own. An attempt that fails is part of what happened;
 * the next one begins when something it read has changed.
 * Both: a is read before or after its store, and when it is seen set, b is too: 2 * 2.
 * Either: a seen set; or a not set and b seen set; or neither, then waiting for one of the
 * two stores, and the same again for a (where it is b that changed, a may change as well).
 */
#include "litmus.h"

static atomic_int a, b;

static void *waiter(void *unused)
{
#ifdef BOTH
    while (!atomic_load(&a) || !atomic_load(&b))
        ;
#else
    while (!atomic_load(&a) && !atomic_load(&b))
        ;
#endif
    return unused;
}

static void *set_a(void *unused)
{
    atomic_store(&a, 1);
    return unused;
}

static void *set_b(void *unused)
{
    atomic_store(&b, 1);
    return unused;
}

int main(void)
{
    start(waiter, 0);
    start(set_a, 0);
    start(set_b, 0);
    join_all();
    return 0;
}
