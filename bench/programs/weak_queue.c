/* weak_queue.c - a queue of nodes with head and tail (Michael and Scott), release and acquire; operations retry
 *
 * litmus: --memory=rc11 -DPUT=1 -DTAKE=1 -> executions 2
 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "threads.h"

#ifndef PUT
#define PUT 2
#define TAKE 1
#endif

typedef struct Node {
    _Atomic(struct Node *) next;
    int value;
} Node;

static Node nodes[PUT + 1];
static _Atomic(Node *) head = nodes, tail = nodes;

static void swing(_Atomic(Node *) *end, Node *from, Node *to)
{
    atomic_compare_exchange_strong_explicit(end, &from, to, memory_order_acq_rel, memory_order_acquire);
}

static void *putter(void *argument)
{
    Node *node = &nodes[1 + number_of(argument)], *last, *next;
    node->value = 1;
    for (;;) {
        last = atomic_load_explicit(&tail, memory_order_acquire);
        next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next)
            swing(&tail, last, next);
        else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release,
                                                         memory_order_relaxed))
            break;
    }
    swing(&tail, last, node);
    return NULL;
}

static void *taker(void *unused)
{
    Node *first = atomic_load_explicit(&head, memory_order_acquire);
    Node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next && atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_acq_rel,
                                                        memory_order_relaxed))
        assert(next->value == 1);
    return unused;
}

int main(void)
{
    start_all(PUT, putter);
    start_all(TAKE, taker);
    join_all();
    return 0;
}
