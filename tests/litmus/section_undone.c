/* section_undone.c - a section that does not come to its end has not happened
 *
 * litmus: -DASSUME -> executions 1
 * litmus: -DEXIT -> executions 1
 * litmus: -DROUNDS --unroll 2 -> executions 1 verdict bounded
 * litmus: -DWAIT -> executions 3
 * litmus: -DLATER -> executions 2
 *
 * Nobody runs while a section does, so nobody sees what it wrote before it stopped. What it looked at
 * counts: with another value (LATER) it may come to its end.
 */
#include "litmus.h"

#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static int x, open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
#if defined ASSUME
    __VERIFIER_assume(0);
#elif defined EXIT
    exit(0);
#elif defined ROUNDS
    for (int i = 0; i < 5; i++)
        x++;
#elif defined WAIT
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#elif defined LATER
    __VERIFIER_assume(open);
#endif
    x = 0;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    start(body, 0);
    pthread_mutex_lock(&lock);
    __VERIFIER_atomic_begin();
    int seen = x;
    open = 1;
    __VERIFIER_atomic_end();
    assert(seen == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
