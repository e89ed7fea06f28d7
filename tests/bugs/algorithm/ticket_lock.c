// bug: data-race
// fixed: exhaustive
// A ticket drawn by load and store can be drawn twice.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets, serving;
static int inside;

static void *enter(void *arg)
{
#ifdef FIXED
    int mine = atomic_fetch_add(&tickets, 1);
#else
    int mine = atomic_load(&tickets);
    atomic_store(&tickets, mine + 1);
#endif
    while (atomic_load(&serving) < mine)
        ;
    inside++; // BUG
    atomic_store(&serving, mine + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return inside == 2 ? 0 : 1;
}
