/* mapping.c - memory of mmap: zero at first in each execution, handed from thread to thread
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=3 -DSHARED -> executions 6
 * litmus: -DN=3 --check=leak -> executions 6
 * litmus: -DN=2 -DLARGE -> executions 2
 * litmus: -DN=2 -DSTALE -> executions 2
 *
 * As heap.c: each thread maps a node and exchanges it for the one before: N!. With STALE the thread that comes second
 * has a large block where the first has small ones.
 */
#define _GNU_SOURCE
#include "litmus.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef LARGE
enum { SIZE = 1 << 20 };
#else
enum { SIZE = 100 };
#endif

typedef struct Node {
    struct Node *next;
    int owner, filler[8];
} Node;

static _Atomic(Node *) head;

static Node *map_node(void)
{
#ifdef SHARED
    return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#else
    return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
}

static void *push(void *argument)
{
    Node *node = map_node();
    assert(node != MAP_FAILED && (uintptr_t)node % 4096 == 0);
    assert(!node->owner && !node->next && !node->filler[7]);
    node->owner = 1 + number_of(argument);
    node->filler[7] = 1;
    node->next = atomic_exchange(&head, node);
#ifdef STALE
    if (node->next) {
        char *zero = calloc(1, 300000), *mapped = mmap(NULL, 300000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < 300000; i += 64)
            assert(!zero[i] && !mapped[i]);
    } else {
        for (int i = 0; i < 40; i++)
            memset(malloc(20000), 'x', 20000);
    }
#endif
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
        assert(munmap(node, SIZE) == 0 && munmap(node, SIZE) == 0);
        node = next;
    }
    assert(sum == N * (N + 1) / 2);
    return 0;
}
