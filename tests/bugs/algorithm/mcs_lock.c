// bug: livelock
// fixed: exhaustive
// A successor that has swapped itself in but not linked itself yet is overlooked by the unlock.
#include <pthread.h>
#include <stdatomic.h>

typedef struct Node Node;
struct Node {
    Node *_Atomic next;
    atomic_int waiting;
};

static Node *_Atomic tail;
static int inside;

static void *enter(void *arg)
{
    Node *me = arg;
    atomic_store(&me->waiting, 1);
    Node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->waiting)) // BUG
            ;
    }
    inside++;
    Node *after = atomic_load(&me->next);
    if (!after) {
        Node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return NULL;
#ifdef FIXED
        while (!(after = atomic_load(&me->next)))
            ;
#else
        return NULL;
#endif
    }
    atomic_store(&after->waiting, 0);
    return NULL;
}

int main(void)
{
    static Node node[2];
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &node[0]);
    pthread_create(&b, NULL, enter, &node[1]);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return inside == 2 ? 0 : 1;
}
