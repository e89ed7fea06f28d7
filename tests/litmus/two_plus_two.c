/* two_plus_two.c - two threads store two variables in opposite order
 *
 * litmus: -> executions 3
 *
 * Two orders for each variable; that each thread's first store is the later one of both
 * is a circle.
 */
#include "litmus.h"

static atomic_int x, y;

static void *left(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return unused;
}

static void *right(void *unused)
{
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
    return 0;
}
