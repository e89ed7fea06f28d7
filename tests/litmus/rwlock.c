/* rwlock.c - readers commute, writers exclude everybody
 *
 * litmus: -DREADERS=4 -DWRITERS=0 -> executions 1
 * litmus: -DREADERS=4 -DWRITERS=1 -> executions 16
 * litmus: -DREADERS=1 -DWRITERS=2 -> executions 6
 * litmus: -DREADERS=2 -DWRITERS=2 -> executions 18
 * litmus: -DREADERS=2 -DWRITERS=2 --reduction=source -> executions 18 redundant any
 *
 * The writers come in W! orders; each reader falls into one of the W + 1 gaps.
 */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(value >= 0);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    start_all(READERS, reader);
    start_all(WRITERS, writer);
    join_all();
    assert(value == WRITERS);
    return 0;
}
