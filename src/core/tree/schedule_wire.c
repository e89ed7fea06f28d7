/* schedule_wire.c - see schedule_wire.h */
#include "core/tree/schedule_wire.h"

#include <string.h>

#include "core/tree/resolve.h"
#include "core/tree/step_wire.h"

void schedule_write(const Schedule *schedule, Program *program, Text *text)
{
    for (uint32_t i = 0; i < schedule->length; i++) {
        const PlanStep *step = &schedule->steps[i];
        step_write(program, step->agent, &schedule->choices[step->first_choice], step->choice_count, text);
        text_add_string(text, "\n");
    }
}

/* Makes what the text says the plan of `ex`. */
static bool read_plan(Program *program, Execution *ex, StepReader *reader)
{
    StepChoices choices = {0};
    bool good = true;
    ex->plan_length = 0;
    while (good && reader->at < reader->end) {
        PlanStep *step = &ex->plan[ex->plan_length++];
        *step = (PlanStep){.first_choice = choices.count};
        good = step_read_agent(reader, program, &step->agent) &&
               step_read_choices(reader, &choices, &step->choice_count) && step_read_char(reader, '\n');
    }
    if (choices.count)
        memcpy(ex->plan_choices, choices.items, choices.count * sizeof *choices.items);
    VEC_FREE(&choices);
    return good;
}

Schedule *schedule_read(Region *region, Program *program, Execution *ex, Execution *probe, const char *text,
                        size_t size)
{
    StepReader reader = {.at = text, .end = text + size};
    ExploreStats stats = {0};
    Search search = {.program = program, .stats = &stats, .ex = ex, .probe = probe};
    bool busy = false;
    if (!read_plan(program, ex, &reader))
        return NULL;
    Schedule *schedule = schedule_take_plan(region, ex);
    if (resolve_schedule(&search, schedule, &busy) != RESOLVE_DONE) {
        schedule_destroy(region, schedule);
        return NULL;
    }
    schedule_plan(schedule, ex);
    return schedule;
}
