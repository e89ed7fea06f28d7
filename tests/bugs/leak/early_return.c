// bug: leak
// fixed: exhaustive
// options: --check=leak
// The buffer is forgotten only if the job was cancelled after it was allocated.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int cancelled;

static void *job(void *arg)
{
    char *buffer = malloc(32); // BUG
    if (atomic_load(&cancelled)) {
#ifdef FIXED
        free(buffer);
#endif
        return NULL;
    }
    buffer[0] = 'x';
    free(buffer);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, job, NULL);
    atomic_store(&cancelled, 1);
    pthread_join(t, NULL);
    return 0;
}
