/* stack.c - a lock-free stack that frees its nodes too early
 *
 * A pop reads the next pointer of a node that another pop may have freed meanwhile.
 * Repaired, nodes are freed when all threads are done.
 *
 * litmus: -> executions 4 bugs use-after-free
 * litmus: --plain=visible -> executions any redundant any bugs use-after-free
 * litmus: -DFIXED --check=leak -> executions 8 redundant 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Node {
    struct Node *next;
    struct Node *next_retired;
    int value;
} Node;

static _Atomic(Node *) top;
static _Atomic(Node *) retired;

static void push(int value)
{
    Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static void retire(Node *node)
{
#ifdef FIXED
    node->next_retired = atomic_load(&retired);
    while (!atomic_compare_exchange_weak(&retired, &node->next_retired, node))
        ;
#else
    free(node);
#endif
}

static int pop(void)
{
    Node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_weak(&top, &node, node->next))
        ;
    if (!node)
        return -1;
    int value = node->value;
    retire(node);
    return value;
}

static void *worker(void *unused)
{
    assert(pop() > 0);
    return unused;
}

int main(void)
{
    pthread_t workers[2];
    push(1);
    push(2);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    Node *node = atomic_load(&retired);
    while (node) {
        Node *next = node->next_retired;
        free(node);
        node = next;
    }
    return 0;
}
