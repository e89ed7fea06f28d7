/* plain.c - plain increments of one variable by two threads
 *
 * litmus: -> executions 1 bugs data-race
 * litmus: --plain=visible -> executions 4 bugs assertion
 * litmus: --plain=visible --reduction=source -> executions 4 redundant any bugs assertion
 * litmus: -DLOCKED -> executions 2
 *
 * By default plain accesses are no steps, so there is one class, and the race is found in
 * it. As steps: two reads and two writes in (4 over 2) = 6 orders; in two pairs of them
 * only the reads, which commute, are exchanged: 4, of which 2 lose an update.
 */
#include "litmus.h"

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    x = x + 1;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    (void)lock;
    start_all(2, increment);
    join_all();
    assert(x == 2);
    return 0;
}
