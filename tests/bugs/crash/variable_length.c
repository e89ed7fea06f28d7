// bug: crash
// fixed: exhaustive
// executions: 1
// An array of variable length that is larger than the stack, after others that come and go.
#include <stdatomic.h>

static atomic_int size = 12;

static char fill(int megabytes)
{
    char sum = 0;
    for (int i = 1; i <= megabytes; i++) {
#ifdef FIXED
        char array[(i & 3) << 20 | 1];
#else
        char array[i << 20]; // BUG
#endif
        array[0] = 1;
        sum += array[0];
    }
    return sum;
}

int main(void)
{
    return fill(atomic_load(&size)) != 12; // (BUG)
}
