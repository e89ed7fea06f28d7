/* fetch_or.c - updates whose result is unused commute with their own kind
 *
 * litmus: -DN=3 -> executions 8
 * litmus: -DN=5 -> executions 32
 *
 * N threads set a bit, one thread clears bits. The N fetch_or commute with each other
 * and each comes before or after the fetch_and: 2^N (not (N + 1)!).
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int bits;

static void *set(void *argument)
{
    atomic_fetch_or(&bits, 1 << number_of(argument));
    return NULL;
}

static void *clear(void *argument)
{
    atomic_fetch_and(&bits, number_of(argument));
    return NULL;
}

int main(void)
{
    start_all(N, set);
    start(clear, 1);
    join_all();
    return 0;
}
