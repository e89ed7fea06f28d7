/* chandy_misra.c - shortest paths by messages: a node that learns a shorter path tells its neighbours
 *
 * litmus: -DN=4 -> executions 31404
 * litmus: -DN=4 --channels=fifo -> executions 732
 * litmus: -DN=5 -> executions 296
 * litmus: -DN=5 --channels=fifo -> executions 44
 * litmus: -DN=4 --reduction=dcute -> executions 338 verdict any
 * litmus: -DN=5 --reduction=dcute -> executions 562 verdict any
 * litmus: -DN=4 -DWRONG --channels=fifo -> executions 96 bugs assertion
 * litmus: -DN=5 -DWRONG --channels=fifo -> executions 24 bugs assertion
 *
 * Every edge has weight 10. The nodes are servers: they do not notice the end. The start node
 * sends length 0 to itself, as in the program of the published figures. Longer paths may be
 * received first, so a node must tell its neighbours again when it learns a shorter one. The
 * wrong version keeps the first length: right only if the shortest paths are the fastest.
 */
#include <assert.h>
#include <sennit/actor.h>

#ifndef N
#define N 4
#endif

enum { WEIGHT = 10, FAR = 1000 };

typedef struct Node {
    int distance;
    int degree;
    int neighbours[4];
} Node;

#if N == 4
enum { START = 0 };
static Node nodes[N] = {{FAR, 3, {1, 2, 3}}, {FAR, 2, {0, 3}}, {FAR, 2, {0, 3}}, {FAR, 3, {0, 1, 2}}};
static const int expected[N] = {0, 10, 10, 10};
#else
enum { START = 4 };
static Node nodes[N] = {{FAR, 3, {1, 2, 4}}, {FAR, 3, {0, 3, 4}}, {FAR, 1, {0}}, {FAR, 1, {1}}, {FAR, 2, {1, 0}}};
static const int expected[N] = {10, 10, 20, 20, 0};
#endif

static sennit_pid pids[N];

static void tell_neighbours(const Node *self)
{
    int length = self->distance + WEIGHT;
    for (int i = 0; i < self->degree; i++)
        sennit_send(pids[self->neighbours[i]], &length, sizeof length);
}

static void run_node(void *argument)
{
    Node *self = argument;
    sennit_daemon();
    if (self == &nodes[START])
        sennit_send(sennit_self(), &(int){0}, sizeof(int));
    for (;;) {
        int length;
        sennit_receive(&length, sizeof length);
#ifdef WRONG
        if (self->distance != FAR)
            continue;
#else
        if (length >= self->distance)
            continue;
#endif
        self->distance = length;
        tell_neighbours(self);
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pids[i] = sennit_spawn((const char *[]){"0", "1", "2", "3", "4"}[i], run_node, &nodes[i]);
    sennit_run();
    for (int i = 0; i < N; i++)
        assert(nodes[i].distance == expected[i]);
    return 0;
}
