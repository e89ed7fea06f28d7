/* triangle.c - what kind of triangle has these sides?
 *
 * litmus: -DN=0 -> executions 11
 */
#include <sennit/sennit.h>

enum { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static int classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (a >= b + c || b >= a + c || c >= a + b)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}

int main(void)
{
    int a = sennit_int("a"), b = sennit_int("b"), c = sennit_int("c");
    sennit_assume((a < 1000) & (b < 1000) & (c < 1000));
    sennit_assert(classify(a, b, c) != EQUILATERAL || a * 3 == a + b + c);
    return 0;
}
