// bug: assertion
// fixed: exhaustive
// Output is caught for each execution; the thread formats a number that main may have changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int number = 1;

static void *worker(void *arg)
{
    char line[32];
#ifdef FIXED
    int seen = atomic_load(&number);
    snprintf(line, sizeof line, "%d %d", seen, seen);
#else
    int first = atomic_load(&number);
    snprintf(line, sizeof line, "%d %d", first, atomic_load(&number));
#endif
    printf("worker: %s\n", line);
    assert(strcmp(line, "1 2") != 0); // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&number, 2);
    fprintf(stderr, "main: %d\n", 2);
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
