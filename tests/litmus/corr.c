/* corr.c - two loads of one variable never go back in time
 *
 * litmus: -> executions 3
 *
 * The store comes before, between or after the two loads.
 */
#include "litmus.h"

static atomic_int x;

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *unused)
{
    int first = atomic_load(&x);
    int second = atomic_load(&x);
    assert(first <= second);
    return unused;
}

int main(void)
{
    start(writer, 0);
    start(reader, 0);
    join_all();
    return 0;
}
