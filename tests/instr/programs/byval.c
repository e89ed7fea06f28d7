/* Structures on the stack, through pointers and weak functions: the function that selects a version moves nothing. */
#include <stdarg.h>
#include <stdio.h>

struct S {
    long a, b, c;
};

static long sum(struct S s) { return s.a + s.b + s.c; }

__attribute__((weak)) struct S add(struct S s, long double x, struct S t)
{
    return (struct S){s.a + t.a, s.b + t.b, s.c + t.c + (long)x};
}

static long rest(struct S s, ...)
{
    va_list list;
    va_start(list, s);
    double x = va_arg(list, double);
    struct S t = va_arg(list, struct S);
    va_end(list);
    return sum(s) + (long)x + sum(t);
}

static long (*volatile sum_pointer)(struct S) = sum;
static long (*volatile rest_pointer)(struct S, ...) = rest;

int main(void)
{
    struct S s = {1, 2, 3}, t = add(s, 4, s);
    printf("%ld %ld %ld\n", sum_pointer(s), sum_pointer(t), rest_pointer(s, 5.0, t));
    return 0;
}
