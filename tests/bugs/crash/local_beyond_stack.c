// bug: crash
// fixed: exhaustive
// executions: 1
// Two variables that fit on the stack of a thread only one at a time, though it is larger where it is instrumented.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun;

static char inner(int at)
{
    char large[3 << 20]; // (BUG)
    large[at] = 1; // BUG
    return large[at]; // (BUG)
}

static char outer(int at)
{
    char large[3 << 20]; // (BUG)
#ifdef FIXED
    large[at] = 0;
#else
    large[at] = inner(at + 1); // (BUG)
#endif
    return large[at];
}

static void *work(void *unused)
{
    int at = atomic_fetch_add(&begun, 7);
    inner(at);
    return outer(at) ? unused : NULL; // (BUG)
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 5 << 20);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
