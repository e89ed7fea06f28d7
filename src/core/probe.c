/* probe.c - see probe.h */
#include "core/probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The first choices of a step, which are planned; further ones are free. */
typedef struct Forced {
    uint32_t count;
    Literal *choices;
} Forced;
typedef VEC(Forced) ForcedList;

/* ---- Lifecycle -------------------------------------------------------- */

void probe_init(Probe *probe, Program *program, Execution *ex, uint64_t *runs)
{
    *probe = (Probe){.program = program, .ex = ex, .runs = runs};
}

void probe_release(Probe *probe)
{
    VEC_FREE(&probe->touches);
    VEC_FREE(&probe->choices);
    VEC_FREE(&probe->literals);
}

/* ---- Running a plan ---------------------------------------------------- */

void plan_label(Execution *ex, uint32_t position, const Label *label)
{
    uint32_t first = position ? ex->plan[position - 1].first_choice + ex->plan[position - 1].choice_count : 0;
    ex->plan[position] = (PlanStep){.agent = label->agent, .choice_count = label->choice_count, .first_choice = first};
    if (label->choice_count)
        memcpy(&ex->plan_choices[first], label->choices, label->choice_count * sizeof *label->choices);
    ex->plan_length = position + 1;
}

static bool same_plan(const Execution *ex, const Schedule *plan)
{
    if (ex->plan_length != plan->length)
        return false;
    for (uint32_t i = 0; i < plan->length; i++) {
        const PlanStep *step = &ex->plan[i], *other = &plan->steps[i];
        if (step->agent != other->agent || step->choice_count != other->choice_count)
            return false;
        for (uint32_t c = 0; c < step->choice_count; c++)
            if (ex->plan_choices[step->first_choice + c].taken != plan->choices[other->first_choice + c].taken)
                return false;
    }
    return true;
}

ProbeCrash *probe_find_crash(Probe *probe, Region *region)
{
    Execution *ex = probe->ex;
    if ((ex->end != END_RUNNING && ex->end != END_CRASHED) || ex->plan_length == 0)
        return NULL;
    ProbeCrash *crash = region_alloc(region, sizeof *crash);
    *crash = (ProbeCrash){.plan = schedule_take_plan(region, ex), .early = ex->event_count != ex->plan_length};
    if (!crash->early) {
        crash->event = ex->events[ex->event_count - 1];
        crash->accesses = region_alloc(region, (crash->event.access_count + 1u) * sizeof *crash->accesses);
        crash->choices = region_alloc(region, (crash->event.choice_count + 1u) * sizeof *crash->choices);
        memcpy(crash->accesses, &ex->accesses[crash->event.first_access],
               crash->event.access_count * sizeof *crash->accesses);
        memcpy(crash->choices, &ex->choices[crash->event.first_choice],
               crash->event.choice_count * sizeof *crash->choices);
    }
    ex->end = END_ABANDONED; /* so that it is found once */
    ++*probe->runs;
    return crash;
}

/* Fills the execution as if the plan had been run again, as far as the last step is concerned. */
static bool repeat_crash(Probe *probe, const ProbeCrash *crash)
{
    Execution *ex = probe->ex;
    if (crash->early) {
        probe->diverged = true;
        return false;
    }
    Event *event = &ex->events[crash->plan->length - 1];
    execution_reset(ex);
    ex->end = END_ABANDONED;
    ex->event_count = crash->plan->length;
    *event = crash->event;
    event->first_access = event->first_choice = 0;
    memcpy(ex->accesses, crash->accesses, event->access_count * sizeof *ex->accesses);
    memcpy(ex->choices, crash->choices, event->choice_count * sizeof *ex->choices);
    return true;
}

/* False if the program did not follow the plan, or no inputs were found for it. */
static bool run_plan(Probe *probe)
{
    Execution *ex = probe->ex;
    for (const ProbeCrash *crash = probe->crashes; crash; crash = crash->next)
        if (same_plan(ex, crash->plan))
            return repeat_crash(probe, crash);
    if (!program_solves(probe->program, ex))
        return false;
    ex->stop_after_plan = true;
    execution_reset(ex);
    probe->program->ops->run(probe->program, ex);
    ++*probe->runs;
    if (ex->event_count == ex->plan_length && ex->end != END_DIVERGED)
        return true;
    probe->diverged = true;
    return false;
}

static bool plan_feasible(Probe *probe)
{
    const Execution *ex = probe->ex;
    const PlanStep *last = &ex->plan[ex->plan_length - 1];
    if (!probe->program->ops->feasible)
        return true;
    probe->literals.count = 0;
    for (uint32_t c = 0; c < last->first_choice + last->choice_count; c++)
        if (ex->plan_choices[c].condition)
            VEC_PUSH(&probe->literals, ex->plan_choices[c]);
    return probe->program->ops->feasible(probe->program, probe->literals.items, probe->literals.count, NULL, NULL, 0);
}

/* ---- Outcomes ----------------------------------------------------------- */

/* The last event as a label. */
static void last_label(Probe *probe, Label *label)
{
    const Execution *ex = probe->ex;
    const Event *event = &ex->events[ex->event_count - 1];
    *label = (Label){.agent = event->agent, .index = event->index, .touch_count = event->access_count,
                     .choice_count = event->choice_count, .fixed = (event->flags & EVENT_FIXED) != 0};
    probe->touches.count = probe->choices.count = 0;
    for (uint32_t n = 0; n < event->access_count; n++) {
        const Access *access = &ex->accesses[event->first_access + n];
        VEC_PUSH(&probe->touches, touch_of(access));
        label->filter |= label_filter_bit(access->resource);
    }
    for (uint32_t c = 0; c < event->choice_count; c++) {
        const Choice *choice = &ex->choices[event->first_choice + c];
        VEC_PUSH(&probe->choices, ((Literal){.condition = choice->condition, .taken = choice->taken}));
        label->conditional = label->conditional || choice->condition != 0;
    }
    label->touches = probe->touches.items;
    label->choices = probe->choices.items;
}

static void add_forced(ForcedList *todo, const Choice *taken, uint32_t count, uint32_t value)
{
    Forced forced = {.count = count, .choices = mem_alloc(count * sizeof *forced.choices)};
    for (uint32_t c = 0; c < count; c++)
        forced.choices[c] = (Literal){.condition = taken[c].condition, .taken = taken[c].taken};
    forced.choices[count - 1].taken = value;
    VEC_PUSH(todo, forced);
}

/* The outcomes that differ from the given one in a choice from `first` on. */
static void add_alternatives(ForcedList *todo, const Choice *taken, uint32_t count, uint32_t first)
{
    for (uint32_t c = first; c < count; c++)
        for (uint32_t value = 0; value < taken[c].options; value++)
            if (value != taken[c].taken)
                add_forced(todo, taken, c + 1, value);
}

static void force(Execution *ex, const Forced *forced)
{
    PlanStep *step = &ex->plan[ex->plan_length - 1];
    step->choice_count = (uint16_t)forced->count;
    if (forced->count)
        memcpy(&ex->plan_choices[step->first_choice], forced->choices, forced->count * sizeof *forced->choices);
}

/* Runs the last step with each list of forced choices, and with those found on the way. */
static void run_forced(Probe *probe, ForcedList *todo, TakeOutcome *take, void *context)
{
    const Execution *ex = probe->ex;
    Label label;
    for (uint32_t i = 0; i < todo->count; i++) {
        Forced forced = todo->items[i];
        force(probe->ex, &forced);
        if (plan_feasible(probe) && run_plan(probe)) {
            const Event *event = &ex->events[ex->event_count - 1];
            add_alternatives(todo, &ex->choices[event->first_choice], event->choice_count, forced.count);
            last_label(probe, &label);
            take(context, &label);
        }
        free(forced.choices);
    }
    VEC_FREE(todo);
}

void probe_outcomes(Probe *probe, TakeOutcome *take, void *context)
{
    ForcedList todo = {0};
    VEC_PUSH(&todo, (Forced){0});
    run_forced(probe, &todo, take, context);
}

void probe_other_outcomes(Probe *probe, const Choice *taken, uint32_t count, TakeOutcome *take, void *context)
{
    ForcedList todo = {0};
    add_alternatives(&todo, taken, count, 0);
    run_forced(probe, &todo, take, context);
}
