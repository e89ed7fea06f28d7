/* library_writes.c - what library functions store through pointers is plain memory of the program
 *
 * litmus: --plain=visible -> executions 64
 * litmus: -> executions 1 bugs data-race
 *
 * Six stores against six loads in the same order: each load comes before or after its store. As races they
 * are one bug, since the lines are the same.
 */
#include "litmus.h"
#include <semaphore.h>
#include <time.h>

static sem_t sem;
static pthread_t done;
static struct {
    void *result;
    int value, state;
    time_t now;
    struct timespec clock;
    pthread_key_t key;
} seen;
static long sum;

#define STORES                                                    \
    (pthread_join(done, &seen.result), sem_getvalue(&sem, &seen.value), \
     pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &seen.state), time(&seen.now), \
     clock_gettime(CLOCK_MONOTONIC, &seen.clock), pthread_key_create(&seen.key, NULL))
#define LOADS (!!seen.result + seen.value + seen.state + seen.now + seen.clock.tv_sec + seen.key)

static void *end(void *arg) { return arg; }

static void *store(void *unused)
{
    STORES;
    return unused;
}

static void *load(void *unused)
{
    sum = LOADS;
    return unused;
}

int main(void)
{
    sem_init(&sem, 0, 1);
    pthread_create(&done, NULL, end, &sem);
    pthread_t a, b;
    pthread_create(&a, NULL, store, NULL);
    pthread_create(&b, NULL, load, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
