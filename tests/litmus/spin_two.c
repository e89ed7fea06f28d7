/* spin_two.c - a spin loop over two variables
 *
 * litmus: -DBOTH -> executions 4
 * litmus: -DEITHER -> executions 6
 *
 * Each flag is set by a thread of its own. An attempt that fails is part of what happened;
 * the next one begins when something it read has changed.
 * Both: a is read before or after its store, and when it is seen set, b is too: 2 * 2.
 * Either: a seen set (1); a not, b seen set (1); neither, then the wait ends because of a,
 * of both, or of b alone, and in the last case a may be seen set or not (4).
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
