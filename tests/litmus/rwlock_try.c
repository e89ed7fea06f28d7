/* rwlock_try.c - trying a read-write lock for reading and for writing
 *
 * litmus: -DA=rd -DB=rd -> executions 1
 * litmus: -DA=wr -DB=wr -> executions 2
 * litmus: -DA=rd -DB=wr -> executions 2
 *
 * Nobody unlocks. Two readers both succeed, in either order the same; otherwise the
 * first one succeeds and the other fails.
 */
#include "litmus.h"

#define JOIN_(a, b, c) a##b##c
#define TRY(kind) JOIN_(pthread_rwlock_try, kind, lock)

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int codes[2];

static void *left(void *unused)
{
    codes[0] = TRY(A)(&lock);
    return unused;
}

static void *right(void *unused)
{
    codes[1] = TRY(B)(&lock);
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    assert(codes[0] == 0 || codes[1] == 0);
    for (int i = 0; i < 2; i++)
        assert(codes[i] == 0 || codes[i] == EBUSY);
    return 0;
}
