/* lock_order.c - two threads take two locks in opposite order
 *
 * litmus: -> executions 3 bugs deadlock
 * litmus: --reduction=source -> executions 3 redundant any bugs deadlock
 * litmus: -DSAME -> executions 2
 *
 * One thread wholly before the other, two ways, or each holds one lock: deadlock. With
 * the same order the outer lock decides.
 */
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left(void *unused)
{
    take(&a, &b);
    return unused;
}

static void *right(void *unused)
{
#ifdef SAME
    take(&a, &b);
#else
    take(&b, &a);
#endif
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    return 0;
}
