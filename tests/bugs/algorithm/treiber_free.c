// bug: use-after-free
// fixed: exhaustive
// redundant: 2
// The node a pop is about to look into is popped and freed by the other thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *next;
};

static Node *_Atomic top;

static void push(Node *node)
{
    node->next = atomic_load(&top);
    atomic_store(&top, node);
}

static void *pop(void *arg)
{
    Node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) // BUG
        ;
#ifndef FIXED
    free(old); // (BUG)
#endif
    return old;
}

int main(void)
{
    pthread_t a, b;
    void *from_a, *from_b;
    for (int i = 0; i < 2; i++)
        push(malloc(sizeof(Node))); // (BUG)
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, &from_a);
    pthread_join(b, &from_b);
#ifdef FIXED
    free(from_a);
    free(from_b);
#endif
    return from_a == from_b;
}
