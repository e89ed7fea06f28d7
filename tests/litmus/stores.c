/* stores.c - two threads store one variable K times each
 *
 * litmus: -DK=1 -> executions 2
 * litmus: -DK=2 -> executions 6
 * litmus: -DK=4 -> executions 70
 * litmus: -DK=4 --reduction=source -> executions 70 redundant any
 *
 * (2K over K).
 */
#include "litmus.h"

static atomic_int x;

static void *writer(void *argument)
{
    for (int k = 0; k < K; k++)
        atomic_store(&x, number_of(argument) + k);
    return NULL;
}

int main(void)
{
    start_all(2, writer);
    join_all();
    return 0;
}
