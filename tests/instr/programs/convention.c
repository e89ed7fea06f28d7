/* A function that gets its arguments in other registers than C's: its module has a single version. */
#include <stdio.h>

struct S {
    long a, b, c;
};

#ifdef __x86_64__
#define FOREIGN __attribute__((ms_abi))
#else
#define FOREIGN
#endif

FOREIGN static long sum(struct S s, double x, long y) { return s.a + s.b + s.c + (long)x + y; }
static FOREIGN long (*volatile pointer)(struct S, double, long) = sum;

int main(void)
{
    printf("%ld\n", pointer((struct S){1, 2, 3}, 4, 5));
    return 0;
}
