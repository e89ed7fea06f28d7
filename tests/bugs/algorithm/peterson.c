// bug: data-race
// fixed: exhaustive
// Taking the turn for oneself lets both threads pass if each stores before the other looks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
#ifdef FIXED
    atomic_store(&turn, other);
#else
    atomic_store(&turn, me);
#endif
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    inside++; // BUG
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &number[0]);
    pthread_create(&b, NULL, enter, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return inside == 2 ? 0 : 1;
}
