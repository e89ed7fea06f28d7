// bug: data-race
// fixed: exhaustive
// Without `choosing` a thread is overlooked while it has drawn, but not yet shown, the same number.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], number[2];
static int inside;

static void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
#ifdef FIXED
    atomic_store(&choosing[me], 1);
#endif
    atomic_store(&number[me], 1 + atomic_load(&number[other]));
#ifdef FIXED
    atomic_store(&choosing[me], 0);
    while (atomic_load(&choosing[other]))
        ;
#endif
    for (;;) {
        int theirs = atomic_load(&number[other]), mine = atomic_load(&number[me]);
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
            break;
    }
    inside++; // BUG
    atomic_store(&number[me], 0);
    return NULL;
}

int main(void)
{
    static int names[2] = {0, 1};
    pthread_t a, b;
    atomic_store(&choosing[0], 0);
    pthread_create(&a, NULL, enter, &names[0]);
    pthread_create(&b, NULL, enter, &names[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return inside == 2 ? 0 : 1;
}
