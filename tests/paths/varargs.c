/* varargs.c - inputs as variable arguments: registers, stack, structures, lists handed on
 *
 * litmus: -DSUM -> executions 5 bugs assertion
 * litmus: -DMIXED -> executions 2 bugs assertion
 * litmus: -DMIXED -O2 -> executions 2 bugs assertion
 * litmus: -DPRINT -> executions 20 bugs assertion
 * litmus: -DPOINTER -> executions 3
 * litmus: -DREUSED -> executions 2
 *
 * SUM: each of two above 5 or not; if both, their sum is 77 or not. MIXED: one comparison per
 * argument, added up: all can hold at once or not. PRINT: 1 to 10 digits, with a sign or
 * without, and the assertion fails for one of them. REUSED: a second call with constants finds
 * nothing of the first one's arguments.
 */
#include <sennit/sennit.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Large {
    long a, b, c;
} Large;

typedef struct Pair {
    int a, b;
} Pair;

static int total(int count, va_list list)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(list, int);
    return sum;
}

/* How many are above 5; and 100 more if they add up to 77. */
static int look(int count, ...)
{
    va_list list, again;
    int above = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++)
        if (va_arg(list, int) > 5)
            above++;
    above += 100 * (total(count, again) == 77);
    va_end(again);
    va_end(list);
    return above;
}

static long compare(const char *kinds, ...)
{
    va_list list;
    long equal = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': equal += va_arg(list, int) == 3; break;
        case 'l': equal += va_arg(list, long) == 4; break;
        case 'd': equal += va_arg(list, double) > 1; break;
        case 'D': equal += va_arg(list, long double) > 1; break;
        case 'L': equal += va_arg(list, Large).b == 5; break;
        case 'P': equal += va_arg(list, Pair).b == 6; break;
        case 'w': equal += (long)(va_arg(list, __int128) >> 70) == 7; break;
        case 'p': equal += *va_arg(list, char *) == 'x'; break;
        }
    va_end(list);
    return equal;
}

static int print(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

int main(void)
{
    int x = sennit_int("x");
#if defined SUM
    sennit_assert(look(2, x, sennit_int("y")) != 102);
#elif defined MIXED
    long l = sennit_long("l");
    Large large = {1, sennit_long("large"), 2};
    Pair pair = {0, sennit_int("pair")};
    __int128 wide = (__int128)sennit_long("wide") << 64;
    char c = sennit_char("c");
    /* x and l are compared several times, which can hold only once each */
    sennit_assert(compare("idlDLPwpildii", x, 2.0, l, 2.0L, large, pair, wide, &c, x + 1, l + 1, 2.5, x + 2, x + 3) < 9);
#elif defined PRINT
    char text[40];
    if (print(text, sizeof text, "%d:%s", x, "abc") == 6)
        sennit_assert(text[0] != '-');
#elif defined POINTER
    int (*volatile function)(int, ...) = look;
    sennit_assert(function(1, x) != 1 || x > 5);
#elif defined REUSED
    look(1, x);
    look(1, 0);
    look(8, 1, 1, 1, 1, 1, 1, 1, x);
    look(8, 1, 1, 1, 1, 1, 1, 1, 0);
#else
    (void)x, (void)look, (void)compare, (void)print;
#endif
    return 0;
}
