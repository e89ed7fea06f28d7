/* api_timer.c - timers of POSIX that send a signal: timer_create and its relatives */
#include <errno.h>
#include <limits.h>

#include "rt/detect/bug.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/process.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/timer.h"
#include "rt/signal/signals.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/vtime.h"

/* A timer belongs to the process that has made it. */
typedef struct SignalTimer SignalTimer;
struct SignalTimer {
    VirtualTimer timer; /* the first member */
    SignalTimer *next;
    uint64_t name;      /* what the program knows it by */
    unsigned process;
    clockid_t clock;
    int notify, number; /* SIGEV_NONE; SIGEV_SIGNAL: which one */
    union sigval value;
    int64_t deleted;
};

static struct {
    uint32_t run; /* of the execution that this belongs to */
    SignalTimer *first;
} timers;

static int fail(int error)
{
    errno = error;
    return -1;
}

static SignalTimer **list(void)
{
    if (timers.run != rt.execution)
        timers.first = NULL;
    timers.run = rt.execution;
    return &timers.first;
}

/* A name follows from the history of the thread that makes the timer. */
static uint64_t new_name(void)
{
    uint64_t count = 1;
    for (const SignalTimer *timer = *list(); timer; timer = timer->next)
        count += timer->name >> 32 == (uint64_t)rt.self->id + 1;
    return ((uint64_t)rt.self->id + 1) << 32 | count;
}

static SignalTimer *find(timer_t handle)
{
    SignalTimer *timer = *list();
    while (timer && (timer->name != (uint64_t)(uintptr_t)handle || timer->process != process_self()))
        timer = timer->next;
    if (!timer || timer->deleted)
        errno = EINVAL;
    return timer && !timer->deleted ? timer : NULL;
}

/* ---- Expiry ------------------------------------------------------------------------------------- */

static void announce(VirtualTimer *timer) { signals_announce_to(((SignalTimer *)timer)->process); }

static void expire(VirtualTimer *timer)
{
    const SignalTimer *self = (SignalTimer *)timer;
    const SignalSource source = {.code = SI_TIMER, .value = self->value, .function = "timer_create"};
    if (!signals_come() && !signals_survives(self->number))
        unseen_note(UNSEEN_SIGNAL, "of a timer, which end the process", sennit_rt_site);
    signals_reach(self->process, 1, self->number, &source);
}

static void announce_nothing(VirtualTimer *timer) { (void)timer; }
static void expire_silently(VirtualTimer *timer) { (void)timer; }

/* ---- Calls ----------------------------------------------------------------------------------------- */

static void check_event(const struct sigevent *event)
{
    if (rt.self->node)
        report_not_modelled("timer_create in a node of a cluster");
    if (event && event->sigev_notify != SIGEV_SIGNAL && event->sigev_notify != SIGEV_NONE)
        report_not_modelled("timer_create with something other than SIGEV_SIGNAL and SIGEV_NONE");
}

int sennit_rt_timer_create(clockid_t clock, struct sigevent *event, timer_t *result)
{
    if (!rt.self)
        return timer_create(clock, event, result);
    if (event)
        plain_use(event, sizeof *event);
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        report_not_modelled("timer_create with a clock of CPU time");
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME)
        return fail(EINVAL);
    check_event(event);
    if (event && event->sigev_notify == SIGEV_SIGNAL && !signals_valid(event->sigev_signo))
        return fail(EINVAL);
    SignalTimer *made = transient_alloc(sizeof *made);
    *made = (SignalTimer){.next = *list(), .name = new_name(), .process = process_self(), .clock = clock,
                          .notify = event ? event->sigev_notify : SIGEV_SIGNAL,
                          .number = event ? event->sigev_signo : SIGALRM};
    bool sends = made->notify == SIGEV_SIGNAL;
    made->value = event ? event->sigev_value : (union sigval){.sival_ptr = (void *)(uintptr_t)made->name};
    made->timer = (VirtualTimer){.resource = resource_make(RES_CLOCK, 1ull << 52 | made->name),
                                 .announce = sends ? announce : announce_nothing,
                                 .expire = sends ? expire : expire_silently};
    *list() = made;
    PLAIN_STORE(result, (timer_t)(uintptr_t)made->name);
    return 0;
}

int sennit_rt_timer_settime(timer_t handle, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    if (!rt.self)
        return timer_settime(handle, flags, value, old);
    plain_use(value, sizeof *value);
    SignalTimer *timer = find(handle);
    if (!timer)
        return -1;
    if (!timer_is_time(&value->it_value) || !timer_is_time(&value->it_interval))
        return fail(EINVAL);
    int64_t duration = timer_time(&value->it_value);
    if (duration && flags & TIMER_ABSTIME) {
        duration = vtime_until(timer->clock, &value->it_value);
        duration = duration > 0 ? duration : 1;
    }
    TimeLeft left = timer_set(&timer->timer, duration, timer_time(&value->it_interval), NULL);
    if (old)
        timer_tell(left, old);
    return 0;
}

int sennit_rt_timer_gettime(timer_t handle, struct itimerspec *value)
{
    if (!rt.self)
        return timer_gettime(handle, value);
    SignalTimer *timer = find(handle);
    if (!timer)
        return -1;
    timer_tell(timer_get(&timer->timer), value);
    return 0;
}

/* That one thread deletes a timer while another one uses it is the program's own mistake. */
int sennit_rt_timer_delete(timer_t handle)
{
    if (!rt.self)
        return timer_delete(handle);
    SignalTimer *timer = find(handle);
    if (!timer)
        return -1;
    timer_set(&timer->timer, 0, 0, NULL);
    timer->deleted = 1;
    return 0;
}

int sennit_rt_timer_getoverrun(timer_t handle)
{
    if (!rt.self)
        return timer_getoverrun(handle);
    report_not_modelled("timer_getoverrun");
}
