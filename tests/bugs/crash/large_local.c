// bug: crash
// fixed: exhaustive
// executions: 1
// A variable that is larger than the stack of its thread.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int begun;

static int fill(void)
{
    char large[40 << 20]; // (BUG)
    memset(large, 1, sizeof large); // BUG
    return large[7];
}

static void *work(void *unused)
{
    atomic_store(&begun, 1); // (BUG)
    return fill() ? unused : NULL; // (BUG)
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifdef FIXED
    pthread_attr_setstacksize(&attributes, 48 << 20);
#endif
    pthread_create(&thread, &attributes, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
