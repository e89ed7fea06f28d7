/* stack_size.c - a thread with a large stack, and one with a deep recursion
 *
 * litmus: -DSIZE=64 -DSET=setstacksize -> executions 1
 * litmus: -DSIZE=64 -DSET=default -> executions 1
 * litmus: -DSIZE=100 -DSET=setstacksize -> executions 1
 * litmus: -DSIZE=200 -DUSED=20 -DSET=setstacksize -> executions 1
 * litmus: -DSIZE=64 -DSET=default -DDEPTH=130000 -> executions 1 verdict bounded
 *
 * Half of the stack is one local variable; frames are about 48 bytes large where they are not instrumented.
 * In the last case they fit on the stack of the program, but not where they are: whether they do is unknown.
 */
#define _GNU_SOURCE
#include <string.h>

#include "litmus.h"

#ifndef USED
#define USED (SIZE / 2)
#endif
#ifndef DEPTH
#define DEPTH 30000
#endif
#define setstacksize 1

static void *fill(void *unused)
{
    char large[USED << 20];
    memset(large, 1, sizeof large);
    assert(large[12345] == 1);
    return unused;
}

static int descend(int n)
{
    volatile int here[4] = {n};
    return n ? 1 + descend(n - 1) + (here[0] != n) : 0;
}

static void *recurse(void *unused)
{
    assert(descend(DEPTH) == DEPTH);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes, got;
    size_t size = 0;
    pthread_create(&thread, NULL, recurse, NULL);
    pthread_join(thread, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)SIZE << 20);
#if SET == setstacksize
    pthread_create(&thread, &attributes, fill, NULL);
#else
    pthread_setattr_default_np(&attributes);
    pthread_create(&thread, NULL, fill, NULL);
#endif
    pthread_getattr_np(thread, &got);
    pthread_attr_getstacksize(&got, &size);
    assert(size == (size_t)SIZE << 20);
    pthread_join(thread, NULL);
    return 0;
}
