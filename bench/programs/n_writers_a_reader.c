/* n_writers_a_reader.c - N threads store one variable, one thread loads it
 *
 * litmus: -DN=4 -> executions 120
 * litmus: -DN=7 -> executions 40320
 * litmus long: -DN=9 -> executions 3628800
 *
 * The N stores can come in any order and the load at any of N + 1 places: (N + 1)!.
 * No thread is joined.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 7
#endif

static atomic_int x;

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *unused)
{
    (void)atomic_load(&x);
    return unused;
}

int main(void)
{
    start_all(N, writer);
    start(reader, 0);
    return 0;
}
