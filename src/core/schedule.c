/* schedule.c - see schedule.h */
#include "core/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A schedule is one block: the struct, its steps, its choices. */
static size_t schedule_size(uint32_t length, uint32_t choices)
{
    return sizeof(Schedule) + length * sizeof(PlanStep) + choices * sizeof(Literal);
}

Schedule *schedule_create(Region *region, uint32_t length, uint32_t choices)
{
    size_t size = schedule_size(length, choices);
    Schedule *schedule = region ? region_alloc(region, size) : mem_alloc(size);
    schedule->length = length;
    schedule->choice_count = choices;
    schedule->steps = (PlanStep *)(schedule + 1);
    schedule->choices = (Literal *)(schedule->steps + length);
    return schedule;
}

Schedule *schedule_take(Region *region, const Execution *ex, uint32_t length)
{
    uint32_t choices = 0;
    for (uint32_t i = 0; i < length; i++)
        choices += ex->events[i].choice_count;
    Schedule *schedule = schedule_create(region, length, choices);
    uint32_t next = 0;
    for (uint32_t i = 0; i < length; i++) {
        const Event *event = &ex->events[i];
        schedule->steps[i] =
            (PlanStep){.agent = event->agent, .choice_count = event->choice_count, .first_choice = next};
        for (uint32_t c = 0; c < event->choice_count; c++)
            schedule->choices[next++] = (Literal){.condition = ex->choices[event->first_choice + c].condition,
                                                  .taken = ex->choices[event->first_choice + c].taken};
    }
    return schedule;
}

Schedule *schedule_take_plan(Region *region, const Execution *ex)
{
    const PlanStep *last = ex->plan_length ? &ex->plan[ex->plan_length - 1] : NULL;
    Schedule *schedule = schedule_create(region, ex->plan_length, last ? last->first_choice + last->choice_count : 0);
    if (last)
        memcpy(schedule->steps, ex->plan, schedule->length * sizeof *schedule->steps);
    if (schedule->choice_count)
        memcpy(schedule->choices, ex->plan_choices, schedule->choice_count * sizeof *schedule->choices);
    return schedule;
}

void schedule_destroy(Region *region, Schedule *schedule)
{
    if (schedule && region)
        region_free(region, schedule, schedule_size(schedule->length, schedule->choice_count));
    else
        free(schedule);
}

void schedule_plan(const Schedule *schedule, Execution *ex)
{
    memcpy(ex->plan, schedule->steps, schedule->length * sizeof *schedule->steps);
    memcpy(ex->plan_choices, schedule->choices, schedule->choice_count * sizeof *schedule->choices);
    ex->plan_length = schedule->length;
}
