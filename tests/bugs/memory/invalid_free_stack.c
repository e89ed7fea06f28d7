// bug: invalid-free
// fixed: exhaustive
// The buffer is still the local one if the thread did not replace it in time.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic buffer;

static void *enlarge(void *arg)
{
    atomic_store(&buffer, malloc(64));
    return NULL;
}

int main(void)
{
    pthread_t t;
    char small[8];
    buffer = small;
    pthread_create(&t, NULL, enlarge, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    void *last = atomic_load(&buffer);
    free(last); // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    return 0;
}
