/* rwlock_prefer_writer.c - a read-write lock whose readers wait for waiting writers
 *
 * litmus: -DREADERS=4 -DWRITERS=0 -DNEST=0 -> executions 1
 * litmus: -DREADERS=4 -DWRITERS=1 -DNEST=0 -> executions 16
 * litmus: -DREADERS=2 -DWRITERS=2 -DNEST=0 -> executions 18
 * litmus: -DREADERS=1 -DWRITERS=1 -DNEST=1 -> executions 3 bugs deadlock
 *
 * As with other locks the writers come in W! orders and each reader falls into one of the W + 1 gaps: when a
 * writer begins to wait is visible only to a reader that holds the lock and asks again. That reader is
 * ahead of the writer, behind it, or the writer asks between its two locks.
 */
#define _GNU_SOURCE
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    if (NEST) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
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
