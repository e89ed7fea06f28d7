// bug: assertion
// fixed: exhaustive
// redundant: 15
// A pop sleeps after reading top and next; the other thread pops both nodes and pushes the first one back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, FIRST = 1, SECOND = 2 };
static atomic_int next[3], owned[3];
static atomic_uint top; // node in the low byte, number of changes above it

#ifdef FIXED
static unsigned change(unsigned old, int node) { return ((old >> 8) + 1) << 8 | (unsigned)node; }
#else
static unsigned change(unsigned old, int node) { return (old & 0) | (unsigned)node; }
#endif

static void push(int node)
{
    unsigned old = atomic_load(&top);
    atomic_store(&owned[node], 0);
    do {
        atomic_store(&next[node], (int)(old & 255));
    } while (!atomic_compare_exchange_strong(&top, &old, change(old, node)));
}

static int pop(void)
{
    unsigned old = atomic_load(&top);
    for (;;) {
        int node = old & 255;
        if (node == NONE)
            return NONE;
        if (atomic_compare_exchange_strong(&top, &old, change(old, atomic_load(&next[node])))) {
            assert(atomic_exchange(&owned[node], 1) == 0); // BUG
            return node;
        }
    }
}

static void *one_pop(void *arg)
{
    if (pop())
        pop();
    return NULL;
}

int main(void)
{
    pthread_t t;
    push(SECOND);
    push(FIRST);
    pthread_create(&t, NULL, one_pop, NULL);
    int mine = pop();
    pop();
    if (mine)
        push(mine);
    pthread_join(t, NULL);
    return 0;
}
