/* byval_pointer.c - a structure of more than 16 bytes passed by value through a pointer to a function */
#include <assert.h>
struct S {
    long a, b, c;
};
static long f(struct S s)
{
    return s.a + s.b + s.c;
}
static long (*volatile p)(struct S) = f;
int main(void)
{
    struct S s = {1, 2, 3};
    assert(p(s) == 6);
    return 0;
}
