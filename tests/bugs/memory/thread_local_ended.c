// bug: use-after-free
// fixed: exhaustive
// Uses a thread-local variable of a thread that has ended.
#include <pthread.h>
#include <stddef.h>

static _Thread_local int count;
static int *published;

static void *publish(void *unused)
{
    count = 1;
    published = &count; // (BUG)
    return unused; // (BUG)
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    pthread_join(thread, NULL);
#ifndef FIXED
    return *published - 1; // BUG
#endif
    return published == &count;
}
