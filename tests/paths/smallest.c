/* smallest.c - the smallest number divided by -1 is an overflow, by 0 a division by zero
 *
 * litmus: -DA=sennit_int("a") -DB=sennit_int("b") -DOP=/ -> executions 3 bugs division,overflow
 * litmus: -DA=sennit_int("a") -DB=sennit_int("b") -DOP=% -> executions 3 bugs division,overflow
 * litmus: -DA=sennit_int("a") -DB=-1 -DOP=/ -> executions 2 bugs overflow
 * litmus: -DA=sennit_int("a") -DB=-1 -DOP=% -> executions 2 bugs overflow
 * litmus: -DA=INT_MIN -DB=sennit_int("b") -DOP=/ -> executions 3 bugs division,overflow
 * litmus: -DWIDE -DA=sennit_long("a") -DB=sennit_long("b") -DOP=/ -> executions 3 bugs division,overflow
 * litmus: -DWIDE -DA=sennit_long("a") -DB=-1 -DOP=% -> executions 2 bugs overflow
 * litmus: -DA=INT_MIN -DB=-1 -DOP=/ -> executions 1 bugs overflow
 * litmus: -DA=INT_MIN -DB=-1 -DOP=% -> executions 1 bugs overflow
 */
#include <limits.h>
#include <sennit/sennit.h>

#ifdef WIDE
typedef long Number;
#else
typedef int Number;
#endif

int main(void)
{
    Number a = A, b = B;
    volatile Number result = a OP b;
    return result == 7 ? 0 : 0;
}
