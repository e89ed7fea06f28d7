/* timer.c - see timer.h */
#include "rt/libc/timer.h"

#include "rt/kernel/transient.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"

typedef struct TimerSetting {
    VirtualTimer *timer;
    int64_t name, duration, interval;
    const SennitSite *site;
} TimerSetting;

#define SECOND 1000000000ll

bool timer_is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

int64_t timer_time(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(int64_t time)
{
    return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

void timer_tell(TimeLeft left, struct itimerspec *to)
{
    PLAIN_STORE(to,
                ((struct itimerspec){.it_interval = timespec_of(left.interval), .it_value = timespec_of(left.time)}));
}

static TimeLeft time_left(const VirtualTimer *timer)
{
    int64_t now = vtime_peek();
    if (!timer->setting)
        return (TimeLeft){0};
    return (TimeLeft){timer->deadline > now ? timer->deadline - now : 1, timer->interval};
}

/* One step. Is the setting still that of the timer? */
static bool expire(const TimerSetting *setting, bool last)
{
    VirtualTimer *timer = setting->timer;
    sennit_rt_site = setting->site;
    step_begin(OP_TIMER, timer->resource);
    timer->announce(timer);
    step_opaque();
    step_wait();
    int64_t before = timer->setting;
    bool is_set = before == setting->name;
    if (is_set && last)
        timer->setting = 0;
    step_value(0, before, timer->setting);
    if (is_set) {
        timer->deadline += timer->interval;
        timer->expire(timer);
    }
    step_done();
    return is_set;
}

/* The thread that a setting is. */
static void *setting(void *argument)
{
    const TimerSetting *self = argument;
    vtime_pass(self->duration);
    bool on = expire(self, !self->interval);
    for (unsigned times = 1; on && self->interval; times++) {
        if (times >= rt.options.max_timeouts) {
            execution_cut(rt.ex, CUT_TIMEOUTS);
            break;
        }
        vtime_pass(self->interval);
        on = expire(self, false);
    }
    return NULL;
}

/* It follows from the history of the thread. */
static int64_t new_name(void)
{
    ThreadRecord *self = lifetime_self();
    return ((int64_t)self->agent + 1) << 32 | ++self->timers;
}

TimeLeft timer_set(VirtualTimer *timer, int64_t duration, int64_t interval, void (*also)(VirtualTimer *timer))
{
    TimerSetting *self = transient_alloc(sizeof *self);
    *self = (TimerSetting){timer, duration ? new_name() : 0, duration, interval, sennit_rt_site};
    step_begin(OP_TIMER, timer->resource);
    if (also)
        timer->announce(timer);
    step_wait();
    int64_t before = timer->setting;
    TimeLeft left = time_left(timer);
    timer->setting = self->name;
    timer->deadline = vtime_peek() + duration;
    timer->interval = interval;
    step_value(0, before, timer->setting);
    if (also)
        also(timer);
    step_done();
    if (duration)
        lifetime_create_own(setting, self);
    return left;
}

TimeLeft timer_get(VirtualTimer *timer)
{
    step_begin(OP_TIMER, timer->resource)->mode = MODE_READ;
    step_wait();
    TimeLeft left = time_left(timer);
    step_value(0, timer->setting, timer->setting);
    step_done();
    return left;
}
