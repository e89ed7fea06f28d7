/* weak_treiber.c - a stack of nodes (Treiber) with release and acquire; a pop that finds it empty, or changed, gives up
 *
 * litmus: --memory=rc11 -DPUSH=2 -DPOP=1 -> executions 20
 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "threads.h"

#ifndef PUSH
#define PUSH 3
#define POP 2
#endif

typedef struct Node {
    struct Node *next;
    int value;
} Node;

static Node nodes[PUSH];
static _Atomic(Node *) top;

static void *pusher(void *argument)
{
    Node *node = &nodes[number_of(argument)], *old = atomic_load_explicit(&top, memory_order_relaxed);
    node->value = 1;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
    return NULL;
}

static void *popper(void *unused)
{
    Node *node = atomic_load_explicit(&top, memory_order_acquire);
    if (node && atomic_compare_exchange_strong_explicit(&top, &node, node->next, memory_order_relaxed,
                                                        memory_order_relaxed))
        assert(node->value == 1);
    return unused;
}

int main(void)
{
    start_all(PUSH, pusher);
    start_all(POP, popper);
    join_all();
    return 0;
}
