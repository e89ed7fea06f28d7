/* race_verify.c - see race_verify.h
 *
 * An update whose result is unused commutes with others of its kind, and only one order of
 * the two is explored. What it acquires in that order must not hide a race of the other
 * order, so race_clock.c lets such updates release but not acquire. Where other steps force
 * the order of the two, the acquire counts: that is checked here before a race is reported.
 */
#include "rt/detect/race_verify.h"

#include "rt/detect/race.h"
#include "rt/weak/weak_step.h"

enum { MAX_EVENTS = 4096 }; /* beyond that the order is assumed to be forced */

/* ---- Is the order forced? ------------------------------------------------------------- */

static bool are_strong(const Access *a, const Access *b)
{
    return a->order == ORDER_STRONG && b->order == ORDER_STRONG;
}

static bool footprints_conflict(const Event *a, const Event *b)
{
    for (unsigned i = 0; i < a->access_count; i++)
        for (unsigned k = 0; k < b->access_count; k++)
            if (are_strong(&rt.ex->accesses[a->first_access + i], &rt.ex->accesses[b->first_access + k]) &&
                accesses_conflict(&rt.ex->accesses[a->first_access + i], &rt.ex->accesses[b->first_access + k]))
                return true;
    return false;
}

/* Of weak steps the one that reads comes behind the one it reads from, in whatever order they are executed. */
static bool reads_from(const Event *reader, const Event *writer)
{
    return reader->access_count && rt.ex->accesses[reader->first_access].order != ORDER_STRONG &&
           weak_source((uint32_t)(reader - rt.ex->events)) == (uint32_t)(writer - rt.ex->events);
}

static bool created_by(const Event *event, const Event *creator)
{
    AgentId by;
    uint32_t step;
    return execution_creation(rt.ex, event->agent, &by, &step) && by == creator->agent && creator->index <= step;
}

static bool directly_before(const Event *a, const Event *b)
{
    return a->agent == b->agent || created_by(b, a) || footprints_conflict(a, b) || reads_from(b, a);
}

/* Marks, from the last event back, what comes before the running thread's newest step. */
bool race_is_forced(AgentId agent, uint32_t first)
{
    const Execution *ex = rt.ex;
    bool before[MAX_EVENTS] = {false};
    if (ex->event_count > MAX_EVENTS || !rt.self->has_event)
        return ex->event_count > MAX_EVENTS;
    before[rt.self->last_event] = true;
    for (uint32_t i = rt.self->last_event; i-- > 0;) {
        for (uint32_t k = i + 1; k <= rt.self->last_event && !before[i]; k++)
            before[i] = before[k] && directly_before(&ex->events[i], &ex->events[k]);
        if (before[i] && i >= first && thread_get(ex->events[i].agent)->strand == agent)
            return true;
    }
    return false;
}

/* Position of the first step of an agent that comes after its plain access with this clock. */
static uint32_t step_after(AgentId agent, uint32_t clock)
{
    for (uint32_t i = 0; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        if (thread_get(event->agent)->strand == agent && race_clock_of(event->agent, event->index) >= clock)
            return i;
    }
    return rt.ex->event_count;
}

bool race_is_real(AgentId agent, uint32_t clock)
{
    if (!race_clock_has_updates() || !race_clock_ordered_by_updates(agent, clock))
        return true;
    return !race_is_forced(agent, step_after(agent, clock));
}
