/* readers.c - one writer and N readers of one variable
 *
 * litmus: -DN=4 -> executions 16
 * litmus: -DN=12 -> executions 4096
 * litmus long: -DN=16 -> executions 65536
 *
 * Each reader comes before or after the write: 2^N.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 12
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
    start(writer, 0);
    start_all(N, reader);
    join_all();
    return 0;
}
