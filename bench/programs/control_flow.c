/* control_flow.c - whether x is written at all depends on two other variables
 *
 * litmus: -DN=2 -> executions 18
 * litmus: -DN=5 -> executions 5160
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x, y, z;

static void *read_x(void *unused)
{
    (void)atomic_load(&x);
    return unused;
}

static void *write_y(void *unused)
{
    atomic_store(&y, 1);
    return unused;
}

static void *write_z(void *unused)
{
    if (atomic_load(&y) == 0)
        atomic_store(&z, 1);
    return unused;
}

static void *write_x(void *unused)
{
    if (atomic_load(&z) == 1 && atomic_load(&y) == 0)
        atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    start_all(N, read_x);
    start_all(N, write_y);
    start(write_z, 0);
    start(write_x, 0);
    join_all();
    return 0;
}
