// bug: use-after-free
// fixed: exhaustive
// The reader keeps a pointer over a point where the writer may move the array.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *values;

static void *grow(void *arg)
{
    pthread_mutex_lock(&lock);
    values = realloc(values, 4096 * sizeof *values); // (BUG)
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    values = calloc(1, sizeof *values); // (BUG)
    pthread_create(&t, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
    int *first = &values[0];
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    first = &values[0];
#endif
    int seen = *first; // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(values);
    return seen;
}
