/* schedule.h - the decisions that determine an execution
 *
 * A schedule is a list of steps, each with the values of its choices. It replays an execution and is stored in
 * traces.
 */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "base/region.h"
#include "core/execution.h"

typedef struct Schedule {
    uint32_t length;
    uint32_t choice_count;
    PlanStep *steps;
    Literal *choices;
} Schedule;

/* Room for `length` steps and `choices` values, to be filled by the caller. Memory comes from `region`, or from the
 * heap if that is NULL. */
Schedule *schedule_create(Region *region, uint32_t length, uint32_t choices);

/* The first `length` steps of an execution, copied; memory as above. */
Schedule *schedule_take(Region *region, const Execution *ex, uint32_t length);
/* The plan of an execution, copied. */
Schedule *schedule_take_plan(Region *region, const Execution *ex);
/* `region` is the one the schedule was made with, or NULL. */
void schedule_destroy(Region *region, Schedule *schedule);

/* Makes the schedule the plan of `ex` (copied). */
void schedule_plan(const Schedule *schedule, Execution *ex);

#endif
