/* skew.c - preloaded: the wall clock is wrong by SKEW seconds */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long skew(void)
{
    const char *text = getenv("SKEW");
    return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += skew();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *place)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place)
        *place = now.tv_sec;
    return now.tv_sec;
}
