/* lb.c - load buffering: each thread loads one variable and stores the other
 *
 * litmus: -> executions 3
 *
 * 2 * 2 orders of the two pairs; each load after the other thread's store is a circle.
 */
#include "litmus.h"

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused)
{
    seen_x = atomic_load(&x);
    atomic_store(&y, 1);
    return unused;
}

static void *right(void *unused)
{
    seen_y = atomic_load(&y);
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    assert(!(seen_x && seen_y));
    return 0;
}
