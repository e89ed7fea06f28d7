// bug: data-race
// fixed: exhaustive
// Both threads got the same block and nothing orders their writes.
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *arg)
{
    int *cell = arg;
    *cell = 5; // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int *cells = calloc(2, sizeof *cells);
    pthread_create(&a, NULL, fill, &cells[0]);
#ifdef FIXED
    pthread_create(&b, NULL, fill, &cells[1]);
#else
    pthread_create(&b, NULL, fill, &cells[0]);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(cells);
    return 0;
}
