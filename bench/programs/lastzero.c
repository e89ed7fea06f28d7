/* lastzero.c - writers build an array from its left, a reader looks for the last zero
 *
 * litmus: -DN=3 -> executions 12
 * litmus: -DN=10 -> executions 3328
 * litmus long: -DN=14 -> executions 69632
 *
 * How far the reader goes depends on what it reads, so which of its reads race with
 * the writers does too.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 10
#endif

static atomic_int array[N + 1];

static void *writer(void *argument)
{
    int j = number_of(argument);
    int left = atomic_load(&array[j - 1]);
    atomic_store(&array[j], left + 1);
    return NULL;
}

static void *reader(void *unused)
{
    int i = N;
    while (atomic_load(&array[i]) != 0) {
        i--;
    }
    return unused;
}

int main(void)
{
    start(reader, 0);
    for (int j = 1; j <= N; j++)
        start(writer, j);
    join_all();
    return 0;
}
