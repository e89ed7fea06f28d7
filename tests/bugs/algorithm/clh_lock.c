// bug: livelock
// fixed: exhaustive
// A thread that takes its own node again at once locks what its successor has not yet seen unlocked.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked[3];
static atomic_int tail = 2;
static int inside;

static void *enter_twice(void *arg)
{
    int mine = *(int *)arg;
    for (int i = 0; i < 2; i++) {
        atomic_store(&locked[mine], 1);
        int before = atomic_exchange(&tail, mine);
        while (atomic_load(&locked[before])) // BUG
            ;
        inside++;
        atomic_store(&locked[mine], 0);
#ifdef FIXED
        mine = before; // its own node may still be watched
#endif
    }
    return NULL;
}

int main(void)
{
    static int node[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, NULL, enter_twice, &node[0]);
    pthread_create(&b, NULL, enter_twice, &node[1]);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return inside == 4 ? 0 : 1;
}
