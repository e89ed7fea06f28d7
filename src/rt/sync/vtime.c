/* vtime.c - see vtime.h */
#include "rt/sync/vtime.h"

#include "rt/sync/cancel.h"
#include "rt/sync/lifetime.h"

#define SECOND 1000000000ll

enum { READING = 1000 }; /* nanoseconds */

/* Where the clocks stand when an execution begins, in seconds. */
static const int64_t REALTIME_START = 1767225600; /* 1 January 2026, UTC */
static const int64_t MONOTONIC_START = 1000;

int64_t vtime_now(void)
{
    return lifetime_self()->time += READING;
}

void vtime_sleep(int64_t nanoseconds)
{
    cancel_test();
    step_yield();
    if (nanoseconds > 0)
        lifetime_self()->time += nanoseconds;
}

static int64_t start_of(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        return REALTIME_START;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        return MONOTONIC_START;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return 0;
    default:
        return -1;
    }
}

bool vtime_read(clockid_t clock, struct timespec *time)
{
    int64_t start = start_of(clock);
    if (start < 0)
        return false;
    int64_t now = vtime_now();
    time->tv_sec = start + now / SECOND;
    time->tv_nsec = now % SECOND;
    return true;
}

int64_t vtime_until(clockid_t clock, const struct timespec *deadline)
{
    int64_t at = (deadline->tv_sec - start_of(clock)) * SECOND + deadline->tv_nsec;
    int64_t now = lifetime_self()->time;
    return at > now ? at - now : 0;
}

void vtime_reach(const struct timespec *deadline)
{
    bool realtime = deadline->tv_sec >= REALTIME_START;
    lifetime_self()->time += vtime_until(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, deadline);
}
