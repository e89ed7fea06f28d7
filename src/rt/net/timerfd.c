/* timerfd.c - timers behind descriptors: counters (eventfd.h) to which each expiry adds 1 */
#include <errno.h>
#include <sys/timerfd.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/io/descriptor.h"
#include "rt/io/eventfd.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/timer.h"
#include "rt/sync/vtime.h"

struct CounterTimer {
    VirtualTimer timer; /* the first member */
    EventCounter *counter;
    clockid_t clock;
};

static int fail(int error)
{
    errno = error;
    return -1;
}

static EventCounter *counter_of(VirtualTimer *timer) { return ((CounterTimer *)timer)->counter; }

static void announce(VirtualTimer *timer) { step_touch(counter_of(timer)->resource, MODE_WRITE); }

static void change(VirtualTimer *timer, int64_t value)
{
    EventCounter *counter = counter_of(timer);
    step_value(1, counter->value, value);
    counter->value = value;
    race_release(counter->resource);
}

static void expire(VirtualTimer *timer) { change(timer, counter_of(timer)->value + 1); }
static void forget(VirtualTimer *timer) { change(timer, counter_of(timer)->value & ~EVENT_COUNT); }

int sennit_rt_timerfd_create(int clock, int flags)
{
    if (!rt.self)
        return descriptor_keep(timerfd_create(clock, flags));
    if (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC &&
                                                  clock != CLOCK_BOOTTIME))
        return fail(EINVAL);
    PipeEnd *end = pipe_add_end();
    EventCounter *counter = transient_alloc(sizeof *counter);
    counter->resource = resource_make(RES_PIPE, end->name);
    counter->value = flags & TFD_NONBLOCK ? EVENT_NO_WAIT : 0;
    counter->timer = transient_alloc(sizeof *counter->timer);
    *counter->timer = (CounterTimer){.counter = counter, .clock = clock};
    counter->timer->timer =
        (VirtualTimer){.resource = resource_make(RES_CLOCK, 2 + end->name), .announce = announce, .expire = expire};
    end->counter = counter;
    return end->descriptor;
}

/* NULL and an error if the descriptor is none of a timer. */
static CounterTimer *find(int descriptor)
{
    const PipeEnd *end = pipe_find(descriptor);
    if (end && end->counter && end->counter->timer)
        return end->counter->timer;
    errno = end ? EINVAL : EBADF;
    return NULL;
}

int sennit_rt_timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    if (!rt.self)
        return timerfd_settime(descriptor, flags, value, old);
    plain_use(value, sizeof *value);
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET) || !timer_is_time(&value->it_value) ||
        !timer_is_time(&value->it_interval))
        return fail(EINVAL);
    CounterTimer *timer = find(descriptor);
    if (!timer)
        return -1;
    int64_t duration = timer_time(&value->it_value);
    if (duration && flags & TFD_TIMER_ABSTIME) {
        duration = vtime_until(timer->clock, &value->it_value);
        duration = duration > 0 ? duration : 1;
    }
    if (timer->counter->value & EVENT_CLOSED)
        return fail(EBADF);
    TimeLeft left = timer_set(&timer->timer, duration, timer_time(&value->it_interval), forget);
    if (old)
        timer_tell(left, old);
    return 0;
}

int sennit_rt_timerfd_gettime(int descriptor, struct itimerspec *value)
{
    if (!rt.self)
        return timerfd_gettime(descriptor, value);
    CounterTimer *timer = find(descriptor);
    if (!timer)
        return -1;
    timer_tell(timer_get(&timer->timer), value);
    return 0;
}
