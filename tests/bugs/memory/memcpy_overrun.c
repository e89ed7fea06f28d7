// bug: heap-bounds
// fixed: exhaustive
// The length is read again after it was checked, and it has grown in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char message[16] = "fifteen letters";
static atomic_int length = 4;

static void *grow(void *arg)
{
    atomic_store(&length, 16);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *copy = malloc(8); // (BUG)
    pthread_create(&t, NULL, grow, NULL);
#ifdef FIXED
    int seen = atomic_load(&length);
    if (seen <= 8)
        memcpy(copy, message, (size_t)seen);
#else
    if (atomic_load(&length) <= 8)
        memcpy(copy, message, (size_t)atomic_load(&length)); // BUG
#endif
    pthread_join(t, NULL);
    free(copy);
    return 0;
}
