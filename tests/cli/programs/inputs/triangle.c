/* triangle.c - what kind of triangle has these sides; prints its path */
#include <sennit/sennit.h>
#include <stdio.h>

static int classify(unsigned a, unsigned b, unsigned c)
{
    if (a == 0)
        return 1;
    if (b == 0)
        return 2;
    if (c == 0)
        return 3;
    if (a + b <= c)
        return 4;
    if (b + c <= a)
        return 5;
    if (a + c <= b)
        return 6;
    if (a == b) {
        if (b == c)
            return 7;
        return 8;
    }
    if (b == c)
        return 9;
    if (a == c)
        return 10;
    return 11;
}

int main(void)
{
    unsigned char a = sennit_uchar("a"), b = sennit_uchar("b"), c = sennit_uchar("c");
    int kind = classify(a, b, c);
    printf("%d\n", kind);
    return kind == 11;
}
