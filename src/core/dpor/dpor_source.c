/* dpor_source.c - source sets: behind the plan, an execution avoids sleeping agents; see dpor_internal.h */
#include "core/dpor/dpor_internal.h"

static bool event_conflicts(const Execution *ex, const Event *event, const Label *label)
{
    for (uint32_t n = 0; n < event->access_count; n++) {
        const Access *access = &ex->accesses[event->first_access + n];
        for (uint32_t t = 0; t < label->touch_count; t++) {
            const Touch *touch = &label->touches[t];
            if (touch->resource == access->resource && (touch->lanes & access->lanes) != 0 &&
                modes_conflict((Mode)touch->mode, (Mode)access->mode))
                return true;
        }
    }
    return false;
}

static void fall_asleep(Dpor *dpor, uint32_t level)
{
    dpor->asleep.count = 0;
    wakeup_sleepers(&dpor->sleep, level, &dpor->asleep);
    dpor->seen = level;
}

static void wake_up(Dpor *dpor, const Execution *ex)
{
    for (; dpor->seen < ex->event_count; dpor->seen++)
        for (uint32_t i = dpor->asleep.count; i-- > 0;)
            if (i < dpor->asleep.count && event_conflicts(ex, &ex->events[dpor->seen], dpor->asleep.items[i]))
                sleep_wake(&dpor->asleep, 0, dpor->asleep.items[i]->agent);
}

static bool may_run(const Dpor *dpor, AgentId agent)
{
    for (uint32_t i = 0; i < dpor->asleep.count; i++)
        if (dpor->asleep.items[i]->agent == agent)
            return false;
    Program *program = dpor->search->program;
    return program->ops->enabled(program, agent);
}

AgentId dpor_pick_awake(Picker *picker, Execution *ex, AgentId current)
{
    Dpor *dpor = (Dpor *)picker;
    if (ex->event_count == ex->plan_length)
        fall_asleep(dpor, ex->plan_length);
    wake_up(dpor, ex);
    if (current != AGENT_NONE && may_run(dpor, current))
        return current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (may_run(dpor, agent))
            return agent;
    return AGENT_NONE;
}
