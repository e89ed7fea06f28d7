/* vtime.c - see vtime.h */
#include "rt/sync/vtime.h"

#include <string.h>

#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/sync/cancel.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/lifetime.h"

#define SECOND 1000000000ll

enum { READING = 1000, MAX_GROWTH = 15 }; /* nanoseconds; factors of 4: at most 18 minutes */

/* Where the clocks stand when an execution begins, in seconds. */
static const int64_t REALTIME_START = 1767225600; /* 1 January 2026, UTC */
static const int64_t MONOTONIC_START = 1000;

/* ---- The clocks ------------------------------------------------------------------
 *
 * Computed from the events when the clock is used; those before its first use took no time. Per resource and set of
 * lanes: the latest time of the steps that accessed it in each mode. A step takes part in the times of those that it
 * conflicts with, and of no others: that would depend on the schedule.
 */

enum { BUCKETS = 1 << 10, MODES = MODE_ACCUMULATE_XOR + 1 };

typedef struct Mark Mark;
struct Mark {
    Mark *next;
    uint64_t resource;
    uint8_t lanes;
    int64_t times[MODES];
};

static struct {
    uint32_t event;                      /* the first one that is not complete               */
    uint32_t access;                     /* the first access that is not taken into account  */
    int64_t latest;                      /* of all agents                                    */
    int64_t started[RT_MAX_AGENTS]; /* the creator's clock at the creation of an agent */
    int64_t times[RT_MAX_AGENTS]; /* by strand                                        */
    Mark *marks[BUCKETS];
} virtual;

void vtime_reset(void) { rt.time_used = false; }

static void begin(void)
{
    rt.time_used = true;
    virtual.event = rt.ex->event_count ? rt.ex->event_count - 1 : 0;
    virtual.access = rt.ex->access_count;
    virtual.latest = 0;
    memset(virtual.started, 0, rt.ex->agent_count * sizeof *virtual.started);
    memset(virtual.times, 0, rt.ex->agent_count * sizeof *virtual.times);
    memset(virtual.marks, 0, sizeof virtual.marks);
}

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

static Mark **bucket_of(uint64_t resource) { return &virtual.marks[resource * 0x9e3779b97f4a7c15ull >> 54]; }

static int64_t time_before(const Access *access)
{
    int64_t time = 0;
    for (const Mark *mark = *bucket_of(access->resource); mark; mark = mark->next)
        if (mark->resource == access->resource && mark->lanes & access->lanes)
            for (unsigned mode = 0; mode < MODES; mode++)
                if (modes_conflict((Mode)access->mode, (Mode)mode))
                    time = later(time, mark->times[mode]);
    return time;
}

static void leave_mark(const Access *access, int64_t time)
{
    Mark **bucket = bucket_of(access->resource), *mark = *bucket;
    while (mark && (mark->resource != access->resource || mark->lanes != access->lanes))
        mark = mark->next;
    if (!mark) {
        mark = transient_alloc(sizeof *mark);
        *mark = (Mark){.next = *bucket, .resource = access->resource, .lanes = access->lanes};
        *bucket = mark;
    }
    mark->times[access->mode] = later(mark->times[access->mode], time);
}

/* Takes the accesses of an event from `first` on into account. Those of a section that may still be undone leave no
 * marks yet. */
static void follow(const Event *event, uint32_t first, bool marks)
{
    uint32_t end = event->first_access + event->access_count;
    int64_t *own = &virtual.times[thread_get(event->agent)->strand], time = *own;
    if (event->index == 0)
        time = later(time, virtual.started[event->agent]);
    if (event->flags & EVENT_QUIET)
        time = later(time, virtual.latest);
    for (uint32_t i = first; i < end; i++)
        time = later(time, time_before(&rt.ex->accesses[i]));
    for (uint32_t i = first; i < end && marks && time; i++)
        leave_mark(&rt.ex->accesses[i], time);
    *own = time;
    virtual.latest = later(virtual.latest, time);
}

/* The clock of the running thread, after all events so far. The newest event may get further accesses. */
static int64_t *own_time(void)
{
    const Execution *ex = rt.ex;
    if (!rt.time_used)
        begin();
    for (uint32_t last = ex->event_count; virtual.event < last; virtual.event++) {
        const Event *event = &ex->events[virtual.event];
        bool open = virtual.event + 1 == last && rt.self->section_depth;
        follow(event, event->first_access > virtual.access ? event->first_access : virtual.access, !open);
        if (!open)
            virtual.access = event->first_access + event->access_count;
        if (virtual.event + 1 == last)
            break;
    }
    return &virtual.times[rt.self->strand];
}

void vtime_inherit(AgentId agent)
{
    virtual.times[agent] = virtual.started[agent] = rt.self ? *own_time() : 0;
}

int64_t vtime_peek(void) { return *own_time(); }

void vtime_pass(int64_t nanoseconds)
{
    int64_t *time = own_time();
    *time += nanoseconds > 0 ? nanoseconds : 0;
    virtual.latest = later(virtual.latest, *time);
}

/* A loop may also catch up with the clock, as one that adds a second to a variable until it is now: it must come to
 * its end as well. Such loops take no steps, so that many iterations cost little: the clock runs fast for some of
 * them, then slowly for more. The nth iteration, in periods that grow up to the last one, which is repeated. */
static uint32_t growth_of_idle(uint32_t n)
{
    static const struct {
        uint32_t fast, slow; /* readings */
    } periods[] = {{MAX_GROWTH / 3, 16}, {MAX_GROWTH / 3 * 2, 256}, {MAX_GROWTH, 4096}};
    unsigned last = sizeof periods / sizeof *periods - 1, i = 0;
    while (n >= periods[i].fast + periods[i].slow) {
        n -= periods[i].fast + periods[i].slow;
        i += i < last;
    }
    return n < periods[i].fast ? n + 1 : 0;
}

/* How much time passes until the clock is read again. A loop that reads it until a deadline, without sleeping, must
 * come to it: from the third reading at one place on it takes four times as long as the one before. */
static int64_t time_of_reading(ThreadRecord *self)
{
    uint64_t place = site_name(sennit_rt_site);
    uint32_t steps = rt.agents[rt.self->id].steps;
    bool again = self->reading_place == place, idle = again && self->reading_step == steps;
    self->readings = again ? self->readings + 1 : 0;
    self->idle_readings = idle ? self->idle_readings + 1 : 0;
    self->reading_place = place;
    self->reading_step = steps;
    if (self->idle_readings > 1)
        return (int64_t)READING << 2 * growth_of_idle(self->idle_readings - 2);
    uint32_t growth = self->readings < 2 ? 0 : self->readings - 1;
    return (int64_t)READING << 2 * (growth < MAX_GROWTH ? growth : MAX_GROWTH);
}

int64_t vtime_now(void)
{
    vtime_pass(time_of_reading(lifetime_self()));
    return vtime_peek();
}

bool vtime_sleep(int64_t nanoseconds)
{
    cancel_test();
    step_yield();
    if (interrupt_now(INTERRUPT_FAILS))
        return true;
    vtime_pass(nanoseconds);
    return false;
}

/* ---- What clocks show ---------------------------------------------------------------- */

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
    sennit_rt_noise = 1; /* the next reading is another one: no step shows it */
    time->tv_sec = start + now / SECOND;
    time->tv_nsec = now % SECOND;
    return true;
}

int64_t vtime_until(clockid_t clock, const struct timespec *deadline)
{
    int64_t at = (deadline->tv_sec - start_of(clock)) * SECOND + deadline->tv_nsec;
    int64_t now = vtime_peek();
    return at > now ? at - now : 0;
}

void vtime_reach(const struct timespec *deadline)
{
    bool realtime = deadline->tv_sec >= REALTIME_START;
    vtime_pass(vtime_until(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, deadline));
}
