// bug: lock-misuse
// fixed: exhaustive
// Who detaches a thread does not join it, whichever of the two comes first.
#include <pthread.h>

static void *work(void *argument)
{
#ifndef FIXED
    pthread_detach(pthread_self()); // (BUG)
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL); // (BUG)
    return 0;
}
