/* volatile.c - volatile objects that threads share: races, or relaxed atomic accesses
 *
 * litmus: -DSHAPE=1 -> bugs data-race
 * litmus: -DSHAPE=1 --plain=volatile-atomic --memory=sc -> executions 4
 * litmus: -DSHAPE=1 --plain=volatile-atomic -> executions 2 redundant 2
 * litmus: -DSHAPE=2 --plain=volatile-atomic --memory=sc -> executions 4 bugs data-race
 * litmus: -DSHAPE=2 --plain=volatile-atomic -> executions 2 redundant 2 bugs data-race
 * litmus: -DSHAPE=3 --plain=volatile-atomic --memory=sc -> executions 4
 * litmus: -DSHAPE=3 --plain=volatile-atomic -> executions 4
 * litmus: -DSHAPE=4 --plain=volatile-atomic -> bugs data-race
 * litmus: -DSHAPE=5 -> bugs data-race
 * litmus: -DSHAPE=5 --plain=volatile-atomic --memory=sc -> executions 6
 * litmus: -O2 -DSHAPE=5 --plain=volatile-atomic --memory=sc -> executions 6
 * litmus: -O2 -DSHAPE=5 --plain=volatile-atomic -> executions 4 redundant 2
 *
 * 1: a ticket lock with fences, its turn is a volatile. Each thread draws first or second, and the second one may
 * look before its turn or after: 4. 2: without fences nothing orders the plain accesses under the lock. 3: two threads
 * increment a volatile: a load and a store each; the loads commute: 4. 4: what is not volatile is checked as before. 5:
 * as 1, with both numbers in one word, so that the second thread may also look between the updates of the first: 6. Under weak memory, the default, a loop that
 * looks too early is redundant.
 */
#include "litmus.h"

static atomic_uint next;
static volatile unsigned turn, count;
static int shared;

#if SHAPE == 1 || SHAPE == 5
#define FENCE() __sync_synchronize()
#else
#define FENCE()
#endif

static void *use(void *argument)
{
#if SHAPE <= 2
    unsigned mine = atomic_fetch_add(&next, 1);
    while (turn != mine)
        ;
    FENCE();
    shared++;
    FENCE();
    turn = mine + 1;
#elif SHAPE == 3
    count = count + 1;
#elif SHAPE == 5
    unsigned drawn = __sync_fetch_and_add(&turn, 0x10000), now = drawn & 0xffff;
    while (drawn >> 16 != now)
        now = turn & 0xffff;
    FENCE();
    shared++;
    FENCE();
    __sync_fetch_and_add(&turn, 1);
#else
    shared++;
    count = 1;
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
