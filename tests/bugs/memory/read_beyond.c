// bug: heap-bounds
// fixed: exhaustive
// The index is read after the other thread has moved it past the end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *table;
static atomic_int next;

static void *take(void *arg)
{
#ifdef FIXED
    int mine = atomic_fetch_add(&next, 1);
#else
    atomic_fetch_add(&next, 1);
    int mine = atomic_load(&next);
#endif
    return table[mine] == 1 ? arg : NULL; // BUG
}

int main(void)
{
    pthread_t a, b;
    table = calloc(2, sizeof *table); // (BUG)
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(table);
    return 0;
}
