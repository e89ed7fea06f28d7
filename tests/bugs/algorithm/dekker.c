// bug: data-race
// fixed: exhaustive
// Looking before raising the own flag: both must look before either raises.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
#ifdef FIXED
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&wants[me], 1);
        }
    }
#else
    while (atomic_load(&wants[other]))
        ;
    atomic_store(&wants[me], 1);
#endif
    inside++; // BUG
    atomic_store(&turn, other);
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
