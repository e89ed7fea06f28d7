// bug: livelock
// fixed: exhaustive
// Polling with a sleep never ends if the answer came before the question was reset.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int answer;

static void *responder(void *arg)
{
    atomic_store(&answer, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&answer, 0);
#endif
    pthread_create(&t, NULL, responder, NULL);
#ifndef FIXED
    atomic_store(&answer, 0);
#endif
    while (atomic_load(&answer) == 0) // BUG
        usleep(1000); // (BUG)
    pthread_join(t, NULL);
    return 0;
}
