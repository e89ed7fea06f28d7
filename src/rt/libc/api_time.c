/* api_time.c - time and yielding, on the virtual clock (vtime.h) */
#include <errno.h>

#include "rt/kernel/step.h"
#include "rt/libc/api.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"

#define SECOND 1000000000ll

static bool is_duration(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

/* ---- Sleeping -------------------------------------------------------------- */

unsigned sennit_rt_sleep(unsigned seconds)
{
    API_OUTSIDE(0);
    return vtime_sleep(seconds * SECOND) ? seconds : 0;
}

int sennit_rt_usleep(useconds_t microseconds)
{
    API_OUTSIDE(0);
    if (!vtime_sleep(microseconds * 1000ll))
        return 0;
    errno = EINTR;
    return -1;
}

/* 0 or an error number. */
static int sleep_for(const struct timespec *time, struct timespec *left)
{
    plain_use(time, sizeof *time);
    if (!is_duration(time))
        return EINVAL;
    if (!vtime_sleep(time->tv_sec * SECOND + time->tv_nsec))
        return 0;
    if (left)
        PLAIN_STORE(left, *time);
    return EINTR;
}

int sennit_rt_nanosleep(const struct timespec *time, struct timespec *left)
{
    API_OUTSIDE(0);
    int error = sleep_for(time, left);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int sennit_rt_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    API_OUTSIDE(0);
    if (!(flags & TIMER_ABSTIME))
        return sleep_for(time, left);
    plain_use(time, sizeof *time);
    if (!is_duration(time))
        return EINVAL;
    return vtime_sleep(vtime_until(clock, time)) ? EINTR : 0;
}

int sennit_rt_thrd_sleep(const struct timespec *time, struct timespec *left)
{
    API_OUTSIDE(0);
    int error = sleep_for(time, left);
    return error == EINTR ? -1 : error ? -2 : 0;
}

/* ---- Looking at the clock ----------------------------------------------------- */

time_t sennit_rt_time(time_t *result)
{
    struct timespec now = {0};
    API_OUTSIDE(time(result));
    vtime_read(CLOCK_REALTIME, &now);
    if (result)
        PLAIN_STORE(result, now.tv_sec);
    return now.tv_sec;
}

int sennit_rt_clock_gettime(clockid_t clock, struct timespec *time)
{
    struct timespec now;
    API_OUTSIDE(clock_gettime(clock, time));
    if (!vtime_read(clock, &now)) {
        errno = EINVAL;
        return -1;
    }
    PLAIN_STORE(time, now);
    return 0;
}

int sennit_rt_gettimeofday(struct timeval *time, void *zone)
{
    struct timespec now = {0};
    API_OUTSIDE(gettimeofday(time, zone));
    vtime_read(CLOCK_REALTIME, &now);
    PLAIN_STORE(time, ((struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000}));
    return 0;
}

int sennit_rt_timespec_get(struct timespec *time, int base)
{
    struct timespec now = {0};
    API_OUTSIDE(timespec_get(time, base));
    if (base != TIME_UTC)
        return 0;
    vtime_read(CLOCK_REALTIME, &now);
    PLAIN_STORE(time, now);
    return base;
}

clock_t sennit_rt_clock(void)
{
    API_OUTSIDE(clock());
    return vtime_now() / (SECOND / CLOCKS_PER_SEC);
}

/* ---- Processors: any thread may run at any time anyway --------------------------- */

int sennit_rt_sched_yield(void)
{
    step_yield();
    return 0;
}

int sennit_rt_pthread_yield(void)
{
    step_yield();
    return 0;
}

void sennit_rt_thrd_yield(void)
{
    step_yield();
}

int sennit_rt_sched_getcpu(void)
{
    return 0;
}

int sennit_rt_sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    (void)process;
    (void)size;
    (void)set;
    return 0;
}

int sennit_rt_sched_setscheduler(pid_t process, int policy, const struct sched_param *param)
{
    (void)process;
    (void)policy;
    (void)param;
    return 0;
}

int sennit_rt_sched_setparam(pid_t process, const struct sched_param *param)
{
    (void)process;
    (void)param;
    return 0;
}
