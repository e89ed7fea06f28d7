/* section_silent.c - a section that stores what it found has only looked
 *
 * litmus: -DN=3 -> executions 1
 * litmus: -DN=3 -DONE_CHANGES -> executions 4
 * litmus: -DN=2 -DPARTS -> executions 2
 *
 * Sections that change nothing need no order. Beside one that does change the word (ONE_CHANGES) the two
 * others come before or after it, each for itself. A section that first changes a byte of what it then
 * stores as a whole (PARTS) does change it.
 */
#include "litmus.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static union {
    int whole;
    unsigned char part[4];
} x;

static void *body(void *argument)
{
    (void)argument;
    __VERIFIER_atomic_begin();
#if defined PARTS
    x.part[0]++;
    x.whole = x.whole;
#elif defined ONE_CHANGES
    x.whole = argument ? x.whole : 1;
#else
    int seen = x.whole;
    x.whole = 5;
    x.whole = seen;
#endif
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all();
#if defined PARTS
    assert(x.part[0] == N);
#endif
    return 0;
}
