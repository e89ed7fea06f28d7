/* division.c - the function that divides is named as in the source, in both of its versions */
#include <sennit/sennit.h>

static volatile int zero;

static int divide(int a) { return a / zero; }

int main(void)
{
#ifdef INPUT
    return divide(sennit_bool("b") ? 2 : 1);
#else
    return divide(1);
#endif
}
