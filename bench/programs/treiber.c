/* treiber.c - Treiber's lock-free stack, one operation per thread
 *
 * litmus: -DPUSH=2 -DPOP=1 -> executions 10 redundant 6
 * litmus: -DPUSH=3 -DPOP=2 -> executions 1332 redundant 1989
 *
 * Attempts that fail and have changed nothing are not told apart (SPIN-22): for 3 and 2 there are
 * 1989 executions beside these in which some thread stopped behind one. With every attempt as a
 * part of the class there are 34968; tools that discard executions in which a pop fails and is
 * repeated count 6204, and start 2976 in vain to find out.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef PUSH
#define PUSH 3
#endif
#ifndef POP
#define POP 2
#endif

typedef struct Node {
    _Atomic(struct Node *) next;
} Node;

static _Atomic(Node *) top;
static Node nodes[PUSH];

static void *push(void *argument)
{
    Node *node = &nodes[number_of(argument)];
    Node *old;
    do {
        old = atomic_load(&top);
        atomic_store(&node->next, old);
    } while (!atomic_compare_exchange_strong(&top, &old, node));
    return NULL;
}

static void *pop(void *unused)
{
    Node *old;
    Node *next;
    do {
        old = atomic_load(&top);
        if (!old)
            return unused;
        next = atomic_load(&old->next);
    } while (!atomic_compare_exchange_strong(&top, &old, next));
    return unused;
}

int main(void)
{
    start_all(PUSH, push);
    start_all(POP, pop);
    join_all();
    return 0;
}
