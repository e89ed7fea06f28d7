// bug: assertion
// fixed: exhaustive
// executions: 6
// redundant: 4
// The tail must not be moved by a plain store: an enqueuer that sleeps sets it back to an older node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// Nodes are numbered; 0 is none, 1 the dummy. Each is used once, so there is no ABA.
static atomic_int next[4], head = 1, tail = 1;

static void enqueue(int node)
{
    for (;;) {
        int last = atomic_load(&tail);
        int after = atomic_load(&next[last]);
        if (after == 0) {
            if (atomic_compare_exchange_strong(&next[last], &after, node)) {
#ifdef FIXED
                atomic_compare_exchange_strong(&tail, &last, node);
#else
                atomic_store(&tail, node);
#endif
                return;
            }
        } else {
            atomic_compare_exchange_strong(&tail, &last, after);
        }
    }
}

static int dequeue(void)
{
    int first = atomic_load(&head);
    int after = atomic_load(&next[first]);
    if (after == 0)
        return 0;
    if (first == atomic_load(&tail)) {
        int lagging = first;
        atomic_compare_exchange_strong(&tail, &lagging, after);
    }
    atomic_store(&head, after);
    return after;
}

static void *producer(void *arg)
{
    enqueue(*(int *)arg);
    return NULL;
}

int main(void)
{
    static int node[2] = {2, 3};
    pthread_t a, b;
    pthread_create(&a, NULL, producer, &node[0]);
    pthread_create(&b, NULL, producer, &node[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(next[tail] == 0); // BUG
    assert(dequeue() + dequeue() == 5 && dequeue() == 0);
    return 0;
}
