/* otherbranch.c - see otherbranch.h */
#include "app/tasks/otherbranch.h"

#include "base/vec.h"
#include "core/schedule.h"

bool otherbranch_applies(const ReplaySession *session, const WhatIf *whatif)
{
    const Execution *ex = session->ex;
    if (whatif->choice < 0 || whatif->leaves_at >= ex->event_count)
        return false;
    const Event *event = &ex->events[whatif->leaves_at];
    return whatif->nth < event->choice_count && ex->choices[event->first_choice + whatif->nth].condition != 0;
}

/* The decisions up to the branch, which goes the other way. */
static Schedule *plan_branch(const Execution *ex, const WhatIf *whatif)
{
    Schedule *plan = schedule_take(NULL, ex, whatif->leaves_at + 1);
    PlanStep *last = &plan->steps[whatif->leaves_at];
    last->choice_count = (uint16_t)(whatif->nth + 1);
    plan->choices[last->first_choice + whatif->nth].taken = (uint32_t)whatif->choice;
    plan->choice_count = last->first_choice + last->choice_count;
    return plan;
}

static bool is_feasible(Program *program, const Schedule *plan)
{
    VEC(Literal) literals = {0};
    for (uint32_t i = 0; i < plan->choice_count; i++)
        if (plan->choices[i].condition)
            VEC_PUSH(&literals, plan->choices[i]);
    bool answer =
        !program->ops->feasible || program->ops->feasible(program, literals.items, literals.count, NULL, NULL, 0);
    VEC_FREE(&literals);
    return answer;
}

bool otherbranch_prepare(ReplaySession *session, WhatIf *whatif, Error *error)
{
    Execution *ex = session->ex;
    Program *program = session->stage.program;
    const Event *event = &ex->events[whatif->leaves_at];
    if (whatif->choice >= ex->choices[event->first_choice + whatif->nth].options)
        return error_set(error, EXIT_USAGE, "--instead=%s: choice %u of step %u has no such option",
                         session->info->options.instead, whatif->nth + 1, whatif->leaves_at + 1);
    Schedule *plan = plan_branch(ex, whatif);
    if (program->ops->forget_inputs)
        program->ops->forget_inputs(program);
    schedule_plan(plan, ex);
    bool found = is_feasible(program, plan) && program_solves(program, ex);
    schedule_destroy(NULL, plan);
    if (!found)
        return error_set(error, EXIT_USAGE,
                         "--instead=%s: no inputs are known that take the other outcome of this branch, after the "
                         "branches before it",
                         session->info->options.instead);
    execution_reset(ex);
    text_reset(&session->output);
    whatif_reset(whatif);
    whatif->other_inputs = true;
    return true;
}
