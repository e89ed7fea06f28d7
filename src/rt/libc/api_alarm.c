/* api_alarm.c - the timer of the process that sends SIGALRM (alarm, setitimer) */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/timer.h"
#include "rt/signal/signals.h"

#define SECOND 1000000000ll

static struct {
    uint32_t run; /* of the execution that this belongs to */
    VirtualTimer timer;
} timers[RT_PROCESSES];

static void announce(VirtualTimer *timer)
{
    (void)timer;
    signals_announce_process();
}

static void expire(VirtualTimer *timer)
{
    static const SignalSource source = {.code = SI_KERNEL, .function = "alarm"};
    (void)timer;
    if (!signals_come() && !signals_survives(SIGALRM))
        unseen_note(UNSEEN_SIGNAL, "of a timer, which end the process", sennit_rt_site);
    signals_reach_process(1, SIGALRM, &source);
}

static VirtualTimer *timer_of_process(void)
{
    if (rt.self->node)
        report_not_modelled("alarm or setitimer in a node of a cluster");
    unsigned process = process_self();
    if (timers[process].run != rt.execution)
        timers[process].timer = (VirtualTimer){.resource = resource_make(RES_CLOCK, 1 | process_bits(40)),
                                               .announce = announce, .expire = expire};
    timers[process].run = rt.execution;
    return &timers[process].timer;
}

unsigned sennit_rt_alarm(unsigned seconds)
{
    API_OUTSIDE(alarm(seconds));
    return (unsigned)((timer_set(timer_of_process(), seconds * SECOND, 0, NULL).time + SECOND - 1) / SECOND);
}

useconds_t sennit_rt_ualarm(useconds_t duration, useconds_t interval)
{
    API_OUTSIDE(ualarm(duration, interval));
    TimeLeft left = timer_set(timer_of_process(), duration * 1000ll, interval * 1000ll, NULL);
    return (useconds_t)((left.time + 999) / 1000);
}

static int64_t time_of(const struct timeval *time) { return time->tv_sec * SECOND + time->tv_usec * 1000ll; }

static struct timeval timeval_of(int64_t time)
{
    int64_t microseconds = (time + 999) / 1000;
    return (struct timeval){.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
}

static bool is_time(const struct timeval *time)
{
    return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

static void store(TimeLeft left, struct itimerval *to)
{
    PLAIN_STORE(to, ((struct itimerval){.it_interval = timeval_of(left.interval), .it_value = timeval_of(left.time)}));
}

int sennit_rt_setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *old)
{
    API_OUTSIDE(setitimer(which, value, old));
    if (which != ITIMER_REAL)
        report_not_modelled("setitimer with a timer other than ITIMER_REAL");
    plain_use(value, sizeof *value);
    if (!is_time(&value->it_value) || !is_time(&value->it_interval)) {
        errno = EINVAL;
        return -1;
    }
    TimeLeft left = timer_set(timer_of_process(), time_of(&value->it_value), time_of(&value->it_interval), NULL);
    if (old)
        store(left, old);
    return 0;
}

int sennit_rt_getitimer(__itimer_which_t which, struct itimerval *value)
{
    API_OUTSIDE(getitimer(which, value));
    if (which != ITIMER_REAL)
        report_not_modelled("getitimer with a timer other than ITIMER_REAL");
    store(timer_get(timer_of_process()), value);
    return 0;
}
