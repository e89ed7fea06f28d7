// bug: data-race
// fixed: exhaustive
// The exit handler runs in main while a thread nobody joined still writes.
#include <pthread.h>
#include <stdlib.h>

static int written, flushed;

static void flush(void)
{
    flushed = written; // BUG
}

static void *writer(void *arg)
{
    written = 1; // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(flush);
    pthread_create(&t, NULL, writer, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    exit(0);
}
