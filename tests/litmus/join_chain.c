/* join_chain.c - each thread creates and joins the next one
 *
 * litmus: -DN=5 -> executions 1
 *
 * Results travel by return value; nothing ever runs beside anything that it shares.
 */
#include "litmus.h"

static int depth;

static void *body(void *argument)
{
    int left = number_of(argument);
    depth++;
    if (left == 0)
        return (void *)0;
    pthread_t child;
    void *result;
    pthread_create(&child, NULL, body, (void *)(intptr_t)(left - 1));
    pthread_join(child, &result);
    return (void *)((intptr_t)result + 1);
}

int main(void)
{
    void *result = body((void *)(intptr_t)N);
    assert((intptr_t)result == N && depth == N + 1);
    return 0;
}
