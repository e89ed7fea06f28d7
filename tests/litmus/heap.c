/* heap.c - memory handed from thread to thread
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=4 -> executions 24
 * litmus: -DN=2 --check=leak -> executions 2
 *
 * Each thread allocates a node and exchanges it for the one before; the order of the
 * exchanges decides: N!. Addresses do not depend on it.
 */
#include "litmus.h"

typedef struct Node {
    struct Node *next;
    int owner;
} Node;

static _Atomic(Node *) head;

static void *push(void *argument)
{
    Node *node = malloc(sizeof *node);
    node->owner = number_of(argument);
    node->next = NULL;
    node->next = atomic_exchange(&head, node);
    return NULL;
}

int main(void)
{
    start_all(N, push);
    join_all();
    int sum = 0;
    Node *node = atomic_load(&head);
    while (node) {
        Node *next = node->next;
        sum += node->owner;
        free(node);
        node = next;
    }
    assert(sum == N * (N - 1) / 2);
    return 0;
}
