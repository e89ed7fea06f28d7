/* shift.c - shifts that C leaves undefined
 *
 * litmus: -DLARGE --check=overflow -> executions 1 bugs overflow
 * litmus: -DLARGE -> executions 1
 * litmus: -DNEGATIVE --check=overflow -> executions 1 bugs overflow
 * litmus: -DFAR --check=overflow -> executions 1 bugs overflow
 * litmus: -DRIGHT --check=overflow -> executions 1 bugs overflow
 * litmus: -DWIDE --check=overflow -> executions 1 bugs overflow
 * litmus: -DFITS --check=overflow -> executions 1
 * litmus: -DVALUE --check=overflow -> executions 3 bugs assertion,overflow
 * litmus: -DAMOUNT --check=overflow -> executions 3 bugs overflow
 * litmus: -DMASKED --check=overflow -> executions 1
 * litmus: -DMACHINE -> executions 3
 *
 * With an unknown value: too large, or not, and then 96 or not. With an unknown amount: out of
 * range, too large, or neither. What fits and what is masked cannot fail.
 * MACHINE: if nobody asks, the value is that of the machine, which looks at five bits of the amount: it is 1 if that is 0 or 32.
 */
#include <sennit/sennit.h>

static volatile int one = 1, minus = -1, amount = 31;
static volatile long number = 1;

int main(void)
{
#if defined LARGE
    number = one << amount;
#elif defined NEGATIVE
    number = minus << one;
#elif defined FAR
    number = (unsigned)one << (amount + 1);
#elif defined RIGHT
    number = one >> minus;
#elif defined WIDE
    number = (long)((__int128)number << (4 * amount + 3) >> 64);
#elif defined FITS
    number = one << (amount - 1);
    number = (long)(number << 1) << 31;
    number = (long)((unsigned)one << amount);
    number = minus >> amount;
#elif defined VALUE
    int value = sennit_int("value");
    int result = value << 3;
    sennit_assert(result != 96);
#elif defined AMOUNT
    number = 3 << sennit_int("amount");
#elif defined MASKED
    number = (long)(1u << (sennit_int("amount") & 31));
#elif defined MACHINE
    unsigned far = sennit_uint("far");
    sennit_assume(far < 64);
    if ((unsigned)one << far == 1)
        sennit_assert(far == 0 || far == 32);
#endif
    return 0;
}
