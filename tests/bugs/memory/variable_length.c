// bug: bounds
// fixed: exhaustive
// For some lengths, an array of variable length has no fourth element.
#include <sennit/sennit.h>

int main(void)
{
    int n = sennit_int("n");
#ifdef FIXED
    sennit_assume((n >= 4) & (n <= 6));
#else
    sennit_assume((n >= 1) & (n <= 6));
#endif
    char bytes[n];
    bytes[3] = 1;
    return bytes[3] - 1;
}
