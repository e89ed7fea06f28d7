// bug: use-after-free
// fixed: exhaustive
// options: --check=scope
// A jump ends the variables of the functions that it leaves, as their return would, and no others.
#include <setjmp.h>

static jmp_buf place;
static int *kept;

__attribute__((noinline)) static void leave(int n) // (BUG)
{
    int local = n; // (BUG)
    kept = &local;
    longjmp(place, 1); // (BUG)
}

int main(void)
{
    int stays[4] = {1, 2, 3, 4}, *volatile mine = stays;
    if (!setjmp(place))
        leave(3);
#ifndef FIXED
    return *kept - 3 + 0 * mine[0]; // BUG
#else
    return mine[3] - 4;
#endif
}
