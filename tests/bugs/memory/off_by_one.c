// bug: heap-bounds
// fixed: exhaustive
// The scan runs one past the end only if no thread has stored the value it looks for.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *cells;

static void *store(void *arg)
{
    pthread_mutex_lock(&lock);
    cells[2] = 9;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int at;
    cells = calloc(3, sizeof *cells); // (BUG)
    pthread_create(&t, NULL, store, NULL);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    for (at = 0; at < 3 && cells[at] != 9; at++)
#else
    for (at = 0; at <= 3 && cells[at] != 9; at++) // BUG
#endif
        ;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(cells);
    return at > 3;
}
