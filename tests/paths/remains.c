/* remains.c - what lay in memory before, and how large a block is, make no other decisions in the next execution
 *
 * litmus: -DLOCAL -> executions 6
 * litmus: -DLOCAL -O1 -> executions 6
 * litmus: -DSIZED -> executions 2
 *
 * LOCAL: of 64 elements four have a value, and one of these is read: it is 0, 3, or more, and the input is odd or
 * not; hooks leave other remains on the stack each time. SIZED: the last byte of a block of 1 to 4 bytes is always inside;
 * then an element is 3 or not.
 */
#include <sennit/sennit.h>
#include <stdlib.h>

static unsigned table[4] = {1, 2, 3};
static volatile unsigned sink;

int main(void)
{
    unsigned x = sennit_uint("x"), y = sennit_uint("y");
    (void)y, (void)table;
#if defined LOCAL
    unsigned char filled[64];
    sennit_assume(x < 4);
    for (unsigned i = 0; i < 4; i++)
        filled[i] = (unsigned char)(i * 3);
    if (filled[x] > 4)
        sink++;
    else if (filled[x] == 3)
        sink++;
    if (y & 1)
        sink++;
#elif defined SIZED
    unsigned long size = 1 + x % 4;
    unsigned char *block = malloc(size);
    sink = block[size - 1];
    if (table[(6 & (x - 1)) % 4] == 3)
        sink++;
#endif
    return 0;
}
