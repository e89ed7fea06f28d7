/* clock_loops.c - loops that read the clock come to their end: one that waits for a time, and one that catches up with it
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 1
 * litmus: -DPART=2 -> executions 1
 * litmus: -DPART=3 -> executions 1
 *
 * 0: an hour from now. 1: seconds are counted until it is now, in a loop that is entered again and again. 2: the same
 * with a step between the loops, for which the clock runs fast. 3: a step in each iteration of a wait.
 */
#include <assert.h>
#include <stdatomic.h>
#include <time.h>

#include "litmus.h"

static atomic_int steps;
static long ticks;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void catch_up(double *last)
{
    while (*last < now()) {
        *last += 1;
        assert(++ticks < 1000000);
    }
}

int main(void)
{
    double start = now(), last = start;
    switch (PART) {
    case 0:
        while (now() < start + 3600)
            continue;
        break;
    case 1:
    case 2:
        for (int i = 0; i < 100; i++) {
            catch_up(&last);
            if (PART == 2)
                steps++;
        }
        assert(last >= start + 1);
        break;
    default:
        while (now() < start + 60)
            steps++;
        assert(steps < 20);
        break;
    }
    return 0;
}
