/* iriw.c - two writers, two readers that look in opposite order
 *
 * litmus: -> executions 15
 * litmus: --reduction=source -> executions 15 redundant any
 *
 * Four pairs of a load and a store, 2^4; the one circle is that the readers disagree on
 * which store came first.
 */
#include "litmus.h"

static atomic_int x, y;
static int first[2], second[2];

static void *write_x(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *write_y(void *unused)
{
    atomic_store(&y, 1);
    return unused;
}

static void *read_xy(void *unused)
{
    first[0] = atomic_load(&x);
    second[0] = atomic_load(&y);
    return unused;
}

static void *read_yx(void *unused)
{
    first[1] = atomic_load(&y);
    second[1] = atomic_load(&x);
    return unused;
}

int main(void)
{
    start(write_x, 0);
    start(write_y, 0);
    start(read_xy, 0);
    start(read_yx, 0);
    join_all();
    assert(!(first[0] && !second[0] && first[1] && !second[1]));
    return 0;
}
