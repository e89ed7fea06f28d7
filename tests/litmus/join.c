/* join.c - what a joined thread did is ordered before what follows
 *
 * litmus: -> executions 1
 * litmus: -DRACE -> executions 2
 *
 * Joined first, the load has one value; otherwise it comes before or after the store.
 */
#include "litmus.h"

static atomic_int x;

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    start(writer, 0);
#ifdef RACE
    (void)atomic_load(&x);
    join_all();
#else
    join_all();
    assert(atomic_load(&x) == 1);
#endif
    return 0;
}
