/* observer.c - observers see everything in its order, and order nothing themselves
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 2
 * litmus: -DPART=2 -> executions 2 bugs assertion
 * litmus: -DPART=3 -> executions 2 bugs data-race
 * litmus: -DPART=4 -> executions 2 bugs data-race
 * litmus: -DPART=5 -> executions 5 bugs assertion
 * litmus: -DPART=6 -> executions 1 bugs data-race
 * litmus: -DPART=7 -> executions 2 bugs liveness
 * litmus: -DPART=8 -> executions 3
 * litmus: -DPART=9 -> executions 1 bugs deadlock
 * litmus: -DPART=10 --unroll=2 -> executions 1 verdict bounded
 * litmus: -DPART=11 -> executions 1 bugs liveness
 * litmus: -DPART=12 -> executions 2 bugs liveness
 * litmus: -DPART=13 -> executions 3 bugs liveness
 *
 * 0: observers with different variables. 1: with the same one. 2: an observer that tells the orders apart. 3: an
 * observer does not order the accesses before and behind it. 4: nor does an atomic variable that it reads. 5: it reads
 * atomic variables of the program. 6: an observer reads what another thread writes plainly. 7: an obligation that
 * becomes hot last in one of two orders. 8: one that becomes cold in the end. 9: a deadlock is not reported twice. 10: a
 * bound is no bug. 11: an obligation of main alone. 12, 13: the program may end before, or while, a thread does what must
 * happen.
 */
#include "litmus.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <sennit/monitor.h>
#include <sennit/sennit.h>

static int seen[2], last, data;
static atomic_int flag, inside;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
SENNIT_OBLIGATION(answered, "every request is answered");

static void *own(void *which)
{
    sennit_observe(seen[(long)which]++);
    return NULL;
}

static void *same(void *unused)
{
    sennit_observe(seen[0]++);
    return unused;
}

static void *in_order(void *which)
{
    sennit_observe(sennit_assert(last <= (long)which), last = (int)(long)which);
    return NULL;
}

static void *across(void *writes)
{
    int up = 0;
    if (writes)
        data = 1;
    sennit_observe(up = seen[0], seen[0] += writes != NULL);
    if (!writes && up && data == 7)
        abort();
    return NULL;
}

static void *publish(void *unused)
{
    data = 1;
    atomic_store(&flag, 1);
    return unused;
}

static void *peek(void *unused)
{
    int up = 0;
    sennit_observe(up = atomic_load(&flag));
    if (up && data == 7)
        abort();
    return unused;
}

static void *enter(void *unused)
{
    atomic_fetch_add(&inside, 1);
    sennit_observe(sennit_assert(atomic_load(&inside) <= 1));
    atomic_fetch_sub(&inside, 1);
    return unused;
}

static void *look(void *unused)
{
    sennit_observe(seen[0] = data);
    return unused;
}

static void *request(void *unused)
{
    sennit_hot(&answered);
    return unused;
}

static void *answer(void *unused)
{
    sennit_cold(&answered);
    return unused;
}

static void *request_and_answer(void *unused)
{
    request(NULL);
    answer(NULL);
    return unused;
}

int main(void)
{
    switch (PART) {
    case 0: start(own, 0), start(own, 1); break;
    case 1: start(same, 0), start(same, 0); break;
    case 2: start(in_order, 1), start(in_order, 2); break;
    case 3: start(across, 1), start(across, 0); break;
    case 4: start(publish, 0), start(peek, 0); break;
    case 5: start(enter, 0), start(enter, 0); break;
    case 6: start(publish, 0), start(look, 0); break;
    case 7: start(request, 0), start(answer, 0); break;
    case 8: start(request_and_answer, 0), start(answer, 0); break;
    case 9:
        request(NULL);
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        break;
    case 10:
        request(NULL);
        for (int i = 0; i < 10; i++)
            seen[0] += rand();
        answer(NULL);
        break;
    case 11: request(NULL); break;
    case 12:
        request(NULL);
        start(answer, 0);
        return 0;
    default: start(request_and_answer, 0); return 0;
    }
    join_all();
    return 0;
}
