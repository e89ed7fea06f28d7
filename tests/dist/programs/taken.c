/* taken.c - a value that depends on an input goes where it cannot be followed, on one path only */
#include <sennit/sennit.h>
#include <stdlib.h>

int main(void)
{
    int x = sennit_int("x"), place = 0, sign = 0, paths = 0;
    if (x > 3)
        paths++;
    if (x > 10)
        paths++;
    if (x < -3 && *ecvt(x, 3, &place, &sign) == '4')
        paths++;
    if (x > 20)
        paths++;
    return paths == 77;
}
