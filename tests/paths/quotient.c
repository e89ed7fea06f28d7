/* quotient.c - divisions that nobody needs, which an optimiser would leave out
 *
 * litmus: -O0 -> executions 1 bugs division
 * litmus: -O2 -> executions 1 bugs division
 * litmus: -O2 -DTYPE=__int128 -> executions 1 bugs division
 * litmus: -O2 -DLEAST -> executions 1 bugs overflow
 * litmus: -O2 -DINPUT -> executions 2 bugs division
 * litmus: -O2 -DSAFE -> executions 1
 */
#include <limits.h>
#include <sennit/sennit.h>

#ifndef TYPE
#define TYPE int
#endif

static TYPE divisor;

static TYPE quotient(TYPE a, TYPE b) { return a / b; }

int main(void)
{
    TYPE a = 5;
#if defined LEAST
    a = INT_MIN;
    divisor = -1;
#elif defined SAFE
    divisor = 2;
#elif defined INPUT
    divisor = sennit_int("divisor") == 3 ? 0 : 7;
    if (sennit_int("divides") != 1)
        return 0;
    divisor = 0;
#endif
    (void)quotient(a, divisor);
    return 0;
}
