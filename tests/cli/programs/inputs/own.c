/* own.c - calls a function that has the name of a library function */
#include <sennit/sennit.h>

int toupper(int c);

int main(void)
{
    int c = sennit_int("c");
    int (*through)(int) = toupper;
    if (toupper(c) == 42)
        sennit_assert(c != 3);
    sennit_assert(through(c) != c);
    return 0;
}
