/* nested.c - what threads created by threads see of themselves is the same in every schedule and in replays
 *
 * litmus: -> executions 2 bugs assertion
 * litmus: -DHEAP -> executions 2 bugs assertion
 * litmus: -DSTACK -> executions 2 bugs assertion
 * litmus: -DHANDLE -> executions 2 bugs assertion
 * litmus: -DNUMBER -> executions 2 bugs assertion
 * litmus: -DERROR -> executions 2 bugs assertion
 * litmus: -DHEAP -DDEPTH=9 -> executions 2 bugs assertion
 * litmus: -DHEAP -DDEPTH=20 -> executions 2 bugs assertion
 * litmus: -DHEAP -DBEFORE=9 -> executions 2 bugs assertion
 * litmus: -DHEAP -DAFTER -> executions 2
 *
 * Two threads create one each, in either order, the older one later than the other in the second execution: a replay of
 * it alone meets them in the order of that execution. DEPTH: the descendants create others, so that the last ones have
 * paths of DEPTH numbers. AFTER: the opposite comparison, which never holds.
 */
#define _GNU_SOURCE
#include "litmus.h"

#include <errno.h>
#include <unistd.h>

#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef BEFORE
#define BEFORE 0 /* threads that have come and gone */
#endif

static uintptr_t seen[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[2], created;

static uintptr_t look(void)
{
#if defined HEAP
    void *block = malloc(8);
    uintptr_t place = (uintptr_t)block;
    free(block);
    return place;
#elif defined STACK
    int local = 0;
    return (uintptr_t)&local;
#elif defined HANDLE
    return (uintptr_t)pthread_self();
#elif defined NUMBER
    return (uintptr_t)gettid();
#elif defined ERROR
    return (uintptr_t)&errno;
#else
    return 0;
#endif
}

static void *descend(void *argument);

static void create(uintptr_t branch, uintptr_t depth)
{
    pthread_t thread;
    pthread_create(&thread, NULL, descend, (void *)(branch << 8 | depth));
    if (depth == 2)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void *descend(void *argument)
{
    uintptr_t branch = (uintptr_t)argument >> 8, depth = (uintptr_t)argument & 255;
    if (depth == DEPTH)
        seen[branch] = look();
    else
        create(branch, depth + 1);
    return NULL;
}

static void *child(void *argument)
{
    uintptr_t branch = (uintptr_t)argument;
    pthread_mutex_lock(&mutex);
    order[created++] = (int)branch;
    create(branch, 2);
    return NULL;
}

static void *nothing(void *argument) { return argument; }

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < BEFORE; i++) {
        pthread_create(&threads[0], NULL, nothing, NULL);
        pthread_join(threads[0], NULL);
    }
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, child, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#ifdef AFTER
    assert(seen[0] < seen[1]);
#else
    assert(order[0] == 0 || seen[0] > seen[1]);
#endif
    return 0;
}
