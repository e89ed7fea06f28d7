/* spin_two.c - a spin loop over two variables
 *
 * litmus: -DBOTH -> executions 2
 * litmus: -DEITHER -> executions any
 *
 * Both flags, set by different threads: an attempt that fails is part of what happened,
 * so there is more than one class; but there are few, and none hangs.
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
