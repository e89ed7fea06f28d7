// bug: livelock
// fixed: exhaustive
// Both raise their hand, then each yields politely until the other lowers it.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *guest(void *arg)
{
    int me = *(int *)arg;
#ifdef FIXED
    if (me == 0)
        return NULL;
#endif
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me])) // BUG
        sched_yield(); // (BUG)
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, guest, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); // (BUG)
    return 0;
}
