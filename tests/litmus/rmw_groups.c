/* rmw_groups.c - which unused updates commute with which
 *
 * litmus: -DA=add -DB=sub -> executions 1
 * litmus: -DA=or -DB=or -> executions 1
 * litmus: -DA=and -DB=and -> executions 1
 * litmus: -DA=xor -DB=xor -> executions 1
 * litmus: -DA=add -DB=or -> executions 2
 * litmus: -DA=or -DB=and -> executions 2
 * litmus: -DA=xor -DB=or -> executions 2
 *
 * Updates of one kind (adding and subtracting are one) commute: one class. Others do not.
 */
#include "litmus.h"

#define JOIN_(a, b) a##b
#define FETCH(kind) JOIN_(atomic_fetch_, kind)

static atomic_int x = 5;

static void *left(void *unused)
{
    FETCH(A)(&x, 3);
    return unused;
}

static void *right(void *unused)
{
    FETCH(B)(&x, 6);
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    return 0;
}
