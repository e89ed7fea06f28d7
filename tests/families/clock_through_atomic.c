/* clock_through_atomic.c - a time that is taken before a store is not later than one taken after the load that sees it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
static atomic_int f;
static long a;
static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
static void *th(void *p)
{
    sleep(1);
    a = now();
    f = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    while (!f)
        ;
    assert(now() >= a);
    pthread_join(t, 0);
    return 0;
}
