/* receive_timed.c - a receive that times out advances the clock */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>
#include <stdio.h>
#include <time.h>
static void s(void *x)
{
    int m;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    sennit_receive_timed(1000, &m, sizeof m);
    clock_gettime(CLOCK_MONOTONIC, &b);
    long d = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
    printf("elapsed %ld ms\n", d);
    if (d < 1000)
        sennit_reach("clock stood still");
    else
        sennit_reach("ok");
}
int main()
{
    sennit_spawn("s", s, 0);
    sennit_run();
}
