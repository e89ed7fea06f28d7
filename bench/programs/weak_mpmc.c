/* weak_mpmc.c - a bounded queue with a number per slot that says whose turn it is (Vyukov); who finds it full, empty or
 * changing gives up
 *
 * litmus: --memory=rc11 -DPUT=1 -DTAKE=1 -> executions 2
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef PUT
#define PUT 2
#define TAKE 2
#endif

enum { SIZE = 2 };

static struct {
    atomic_uint turn;
    int value;
} slot[SIZE];
static atomic_uint head, tail;

/* The place that was claimed, or -1. */
static int claim(atomic_uint *end, unsigned ahead)
{
    unsigned at = atomic_load_explicit(end, memory_order_relaxed);
    unsigned turn = atomic_load_explicit(&slot[at % SIZE].turn, memory_order_acquire);
    if (turn != at + ahead ||
        !atomic_compare_exchange_strong_explicit(end, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
        return -1;
    return (int)at;
}

static void *putter(void *unused)
{
    int at = claim(&tail, 0);
    if (at >= 0) {
        slot[at % SIZE].value = 1;
        atomic_store_explicit(&slot[at % SIZE].turn, (unsigned)at + 1, memory_order_release);
    }
    return unused;
}

static void *taker(void *unused)
{
    int at = claim(&head, 1);
    if (at >= 0) {
        assert(slot[at % SIZE].value == 1);
        atomic_store_explicit(&slot[at % SIZE].turn, (unsigned)at + SIZE, memory_order_release);
    }
    return unused;
}

int main(void)
{
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&slot[i].turn, i);
    start_all(PUT, putter);
    start_all(TAKE, taker);
    join_all();
    return 0;
}
