// bug: invalid-free
// fixed: exhaustive
// The cursor has left the start of the block if the reader was quick.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic cursor;

static void *reader(void *arg)
{
    atomic_fetch_add(&cursor, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *start = malloc(8); // (BUG)
    cursor = start;
    pthread_create(&t, NULL, reader, NULL);
#ifdef FIXED
    atomic_load(&cursor);
    free(start);
#else
    free(atomic_load(&cursor)); // BUG
#endif
    pthread_join(t, NULL);
    return 0;
}
