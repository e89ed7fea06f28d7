/* padding.c - a compare-and-exchange compares the value of an atomic object, not its padding
 *
 * litmus: -DTYPE=long_double -> executions 4
 * litmus: -DTYPE=long_double -O2 -> executions 4
 * litmus: -DTYPE=twelve -> executions 4
 * litmus: -DTYPE=twelve -O2 -> executions 4
 * litmus: -DTYPE=three -> executions 4
 *
 * Two threads add one each, by exchanges that are repeated until they succeed: the object on the heap has padding that
 * nobody sets. Either thread is first, and the second one has read the value before or after that.
 */
#include "litmus.h"

#include <stdlib.h>
#include <string.h>

#define long_double 1
#define twelve 2
#define three 3
#if TYPE == long_double
typedef long double Value;
#define NUMBER(v) (v)
#elif TYPE == twelve
typedef struct { int a, b, c; } Value;
#define NUMBER(v) (v).c
#else
typedef struct { char a, b, c; } Value;
#define NUMBER(v) (v).c
#endif

static _Atomic Value *x;

static void *add(void *unused)
{
    Value old = *x, new;
    do {
        new = old;
        NUMBER(new)++;
    } while (!atomic_compare_exchange_strong(x, &old, new));
    return unused;
}

int main(void)
{
    Value zero, last;
    memset(&zero, 0, sizeof zero);
    x = malloc(sizeof *x);
    memset((void *)x, 77, sizeof *x);
    *x = zero;
    memset((char *)x + sizeof *x - 1, 55, sizeof *x > sizeof zero || sizeof zero == 16);
    start(add, 0);
    start(add, 1);
    join_all();
    last = atomic_exchange(x, zero);
    assert(NUMBER(last) == 2);
    return 0;
}
