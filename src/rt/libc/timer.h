/* timer.h - timers on the virtual clock: alarm, setitimer, timerfd
 *
 * The expiry of a setting is an agent, which may take its step at any time after the timer was set: which deadline
 * passes first is not decided by the clock, as for all time-outs. A timer that repeats does so as often as a thread may
 * time out.
 */
#ifndef RT_LIBC_TIMER_H
#define RT_LIBC_TIMER_H

#include <stdint.h>
#include <time.h>

#include "rt/kernel/touches.h"

typedef struct VirtualTimer VirtualTimer;
struct VirtualTimer {
    uint64_t resource;
    int64_t setting;      /* the value of the resource: which setting it is; 0: it is off */
    int64_t deadline, interval;
    /* What the step of an expiry accesses besides; and what it does. */
    void (*announce)(VirtualTimer *timer);
    void (*expire)(VirtualTimer *timer);
};

/* What is left of a setting (0: the timer was off), and its interval, in nanoseconds. */
typedef struct TimeLeft {
    int64_t time, interval;
} TimeLeft;

/* Times as programs give them: is it one? In nanoseconds. And stores what is left. */
bool timer_is_time(const struct timespec *time);
int64_t timer_time(const struct timespec *time);
void timer_tell(TimeLeft left, struct itimerspec *to);

/* A step: the timer expires after this time (0: never), and then after each interval (0: once). Says what was set
 * before. `also` may be NULL: what else the step does to a value that is a resource, with its access announced. */
TimeLeft timer_set(VirtualTimer *timer, int64_t duration, int64_t interval, void (*also)(VirtualTimer *timer));
/* A step. */
TimeLeft timer_get(VirtualTimer *timer);

#endif
