/* assume_none.c - assumptions and a branch on one input: a program that behaves the same way each time */
#include <sennit/sennit.h>
int main(void)
{
    int a = sennit_int("a");
    sennit_assume(a != 0);
    sennit_assume(a != 1);
    if (a > 7)
        return 0;
    return 0;
}
