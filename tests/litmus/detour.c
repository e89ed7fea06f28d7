/* detour.c - iterations of retry loops that were in vain: a race with one of them, and with what comes behind it
 *
 * The pop reads a node that is not its own any more, tries again with the next one, and says so without ordering
 * anything (-DORDER=memory_order_relaxed): then its first read races with the write of the thread that has the node. In
 * the iteration that succeeds it reads another node. So the thread may not stop behind the first one. With -DFREE the
 * node is freed at once.
 *
 * litmus: -> executions 4 redundant 1
 * litmus: -O2 -> executions 4 redundant 1
 * litmus: --memory=rc11 -> executions 4 redundant 1
 * litmus: --memory=sc -DORDER=memory_order_relaxed -> executions 6 bugs data-race
 * litmus: --memory=rc11 -DORDER=memory_order_relaxed -> executions 6 bugs data-race
 * litmus: --memory=sc --reduction=none -DORDER=memory_order_relaxed -> executions 107 bugs data-race
 * litmus: -DFREE -> executions 4 bugs use-after-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

typedef struct Node {
    struct Node *next;
    int used;
} Node;

static _Atomic(Node *) top;
static atomic_int done;

static void *pop(void *unused)
{
    Node *node;
    do {
        node = atomic_load(&top);
        (void)node->used;
    } while (!atomic_compare_exchange_strong(&top, &node, NULL));
    atomic_store_explicit(&done, 1, ORDER);
    return unused;
}

static void *take_first(void *unused)
{
    Node *node = atomic_load(&top);
    if (!node || !node->next || !atomic_compare_exchange_strong(&top, &node, node->next))
        return unused;
#ifdef FREE
    free(node);
#else
    if (atomic_load_explicit(&done, ORDER))
        node->used = 1;
#endif
    return unused;
}

int main(void)
{
    static Node last;
    Node *first = calloc(1, sizeof *first);
    first->next = &last;
    atomic_store(&top, first);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, pop, NULL);
    pthread_create(&threads[1], NULL, take_first, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
