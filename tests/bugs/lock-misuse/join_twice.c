// bug: lock-misuse
// fixed: exhaustive
// A thread that has been joined has no meaning any more: its memory may be freed.
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL); // BUG
#ifndef FIXED
    pthread_join(thread, NULL); // BUG
#endif
    return 0;
}
