/* treiber.c - Treiber's lock-free stack, one operation per thread
 *
 * litmus: -DPUSH=2 -DPOP=1 -> executions 22
 * litmus: -DPUSH=3 -DPOP=2 -> executions 34968
 *
 * Each attempt that fails and is repeated is part of the class. Tools that discard every
 * execution in which a pop fails and is repeated count 6204 for 3 and 2, and start 2976
 * executions in vain to find out.
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
