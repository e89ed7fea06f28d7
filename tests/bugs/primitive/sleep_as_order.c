// bug: assertion
// fixed: exhaustive
// Sleeping orders nothing: the scheduler may let main wake up before the thread has started.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *worker(void *arg)
{
    usleep(10);
    atomic_store(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec before, after, pause = {.tv_nsec = 5000000};
    pthread_create(&t, NULL, worker, NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(3);
    nanosleep(&pause, NULL);
    sched_yield();
    clock_gettime(CLOCK_MONOTONIC, &after);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    assert(atomic_load(&ready)); // BUG
#ifndef FIXED
    pthread_join(t, NULL);
#endif
    return after.tv_sec >= before.tv_sec + 3 ? 0 : 1;
}
