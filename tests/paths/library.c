/* library.c - the C library on inputs; addresses, divisors, sizes that depend on them
 *
 * litmus: -DSTRCMP -> executions 17
 * litmus: -DATOI -> executions 26 bugs assertion
 * litmus: -DQSORT -> executions 75
 * litmus: -DCTYPE -> executions 4 bugs assertion
 * litmus: -DTABLE -> executions 4
 * litmus: -DOUTSIDE -> executions 3 bugs bounds
 * litmus: -DSTORE -> executions 4
 * litmus: -DDIVIDE -> executions 4 bugs assertion,division,overflow
 * litmus: -DFLOAT -> executions 1 verdict exhaustive-but-for
 * litmus: -DMALLOC -> executions 2 bugs heap-bounds
 * litmus: -DOVERFLOW --check=overflow -> executions 2 bugs overflow
 *
 * ATOI: 22 as for three bytes in scan.c (DECIMAL), and 42 is told apart where it can be: alone, behind a blank, a plus sign or a zero.
 * qsort compares in both directions: equal elements are told apart, 75 weak orders of four.
 */
#include <ctype.h>
#include <sennit/sennit.h>
#include <stdlib.h>
#include <string.h>

#ifdef QSORT
static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
#endif

int main(void)
{
#if defined STRCMP
    char s[9];
    sennit_bytes(s, 8, "s");
    s[8] = 0;
    if (strcmp(s, "password") == 0)
        sennit_assert(strlen(s) == 8);
#elif defined ATOI
    char s[4];
    sennit_bytes(s, 3, "s");
    s[3] = 0;
    sennit_assert(atoi(s) != 42);
#elif defined QSORT
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = sennit_int("a");
    qsort(a, 4, sizeof *a, compare);
    for (int i = 0; i < 3; i++)
        sennit_assert(a[i] <= a[i + 1]);
#elif defined CTYPE
    unsigned char c;
    sennit_bytes(&c, 1, "c");
    if (isdigit(c))
        sennit_assert(c != '7');
#elif defined TABLE
    static const int table[5] = {3, 1, 4, 1, 5};
    int i = sennit_int("i");
    if (i >= 0 && i < 5 && table[i] == 4)
        sennit_assert(i == 2);
#elif defined OUTSIDE
    int table[5] = {3, 1, 4, 1, 5}, i = sennit_int("i");
    if (i <= 5)
        table[i] = 9;
#elif defined STORE
    int table[5] = {3, 1, 4, 1, 5}, i = sennit_int("i");
    if (i >= 0 && i < 5) {
        table[i] = 9;
        if (table[2] == 9)
            sennit_assert(i == 2);
    }
#elif defined DIVIDE
    int x = sennit_int("x"), y = sennit_int("y");
    sennit_assert(x / y != 17);
#elif defined FLOAT
    double d = sennit_int("x");
    if (d > 3.5)
        return 0;
#elif defined MALLOC
    unsigned n = (unsigned)sennit_int("n");
    sennit_assume(n < 4);
    char *p = malloc(n);
    p[2] = 3;
    free(p);
#elif defined OVERFLOW
    int x = sennit_int("x");
    if (x + 1 < x)
        return 0;
#endif
    return 0;
}
