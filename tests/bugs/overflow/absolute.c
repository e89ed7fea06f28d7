// bug: overflow
// fixed: exhaustive
// options: --check=overflow
// The smallest number has no absolute value.
#include <limits.h>
#include <sennit/sennit.h>
#include <stdlib.h>

int main(void)
{
    int n = sennit_int("n");
#ifdef FIXED
    if (n == INT_MIN)
        return 0;
#endif
    return abs(n) < 0; // BUG
}
