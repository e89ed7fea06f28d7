/* resolve.c - see resolve.h */
#include "core/tree/resolve.h"

#include <string.h>

#include "core/tree/jobs_unresolved.h"

/* How many of a step's choices are known well enough to be planned. */
static uint32_t known_choices(const Schedule *wanted, uint32_t step)
{
    uint32_t known = 0, count = wanted->steps[step].choice_count;
    const Literal *choices = &wanted->choices[wanted->steps[step].first_choice];
    while (known < count && choices[known].condition != CONDITION_UNKNOWN)
        known++;
    return known;
}

static void plan_known(Execution *ex, const Schedule *wanted)
{
    uint32_t choice = 0;
    for (uint32_t i = 0; i < wanted->length; i++) {
        const PlanStep *step = &wanted->steps[i];
        uint32_t known = known_choices(wanted, i);
        ex->plan[i] = (PlanStep){.agent = step->agent, .choice_count = (uint16_t)known, .first_choice = choice};
        if (known)
            memcpy(&ex->plan_choices[choice], &wanted->choices[step->first_choice], known * sizeof *wanted->choices);
        choice += known;
    }
    ex->plan_length = wanted->length;
}

/* Finds the first choice with another outcome than the wanted one; false if there is none. */
static bool find_difference(const Execution *ex, const Schedule *wanted, uint32_t *step, uint32_t *choice)
{
    for (*step = 0; *step < wanted->length && *step < ex->event_count; ++*step) {
        const PlanStep *want = &wanted->steps[*step];
        const Event *event = &ex->events[*step];
        for (*choice = 0; *choice < want->choice_count && *choice < event->choice_count; ++*choice)
            if (ex->choices[event->first_choice + *choice].taken != wanted->choices[want->first_choice + *choice].taken)
                return true;
    }
    return false;
}

/* Plans what the run did up to the difference, then the wanted outcome. */
static void plan_other(Execution *ex, const Schedule *wanted, uint32_t step, uint32_t choice)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < wanted->length; i++) {
        const Literal *choices = &wanted->choices[wanted->steps[i].first_choice];
        uint32_t count = i < step ? wanted->steps[i].choice_count : i == step ? choice + 1 : known_choices(wanted, i);
        ex->plan[i].choice_count = (uint16_t)count;
        ex->plan[i].first_choice = next;
        for (uint32_t c = 0; c < count; c++) {
            uint32_t condition =
                i <= step ? ex->choices[ex->events[i].first_choice + c].condition : choices[c].condition;
            ex->plan_choices[next++] = (Literal){.condition = condition, .taken = choices[c].taken};
        }
    }
}

/* Runs the plan; false if no inputs could be found for it. */
static bool run(Search *search, bool *busy)
{
    Execution *probe = search->probe;
    if (!program_solves(search->program, probe))
        return false;
    probe->stop_after_plan = true;
    probe->max_agent_steps = search->ex->max_agent_steps;
    execution_reset(probe);
    *busy = true;
    search->program->ops->run(search->program, probe);
    *busy = false;
    search->stats->probes++;
    return true;
}

/* Did the run take the steps, with the wanted outcomes? It may have made further choices. */
static bool followed(const Execution *ex, const Schedule *wanted)
{
    if (ex->event_count < wanted->length)
        return false;
    for (uint32_t i = 0; i < wanted->length; i++)
        if (ex->events[i].agent != wanted->steps[i].agent || ex->events[i].choice_count < wanted->steps[i].choice_count)
            return false;
    return true;
}

static void learn_conditions(const Execution *ex, Schedule *wanted)
{
    for (uint32_t i = 0; i < wanted->length; i++)
        for (uint32_t c = 0; c < wanted->steps[i].choice_count; c++)
            wanted->choices[wanted->steps[i].first_choice + c].condition =
                ex->choices[ex->events[i].first_choice + c].condition;
}

/* Each run settles at least one choice. */
ResolveResult resolve_schedule(Search *search, Schedule *wanted, bool *busy)
{
    Execution *probe = search->probe;
    uint32_t step, choice;
    bool died = *busy && probe->plan_length == wanted->length; /* in the run that is requested again */
    if (!died) {
        plan_known(probe, wanted);
        if (!run(search, busy))
            return RESOLVE_UNKNOWN;
    }
    *busy = false;
    while (find_difference(probe, wanted, &step, &choice)) {
        if (died || (step < wanted->length && choice < probe->plan[step].choice_count))
            return RESOLVE_LOST;
        plan_other(probe, wanted, step, choice);
        if (!run(search, busy))
            return RESOLVE_UNKNOWN;
    }
    if (!followed(probe, wanted))
        return RESOLVE_LOST;
    learn_conditions(probe, wanted);
    return RESOLVE_DONE;
}

/* ---- Nodes of a wakeup tree ---------------------------------------------------- */

static Schedule *schedule_of(const JobPath *path)
{
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < path->count; i++)
        count += job_label(path->items[i])->choice_count;
    Schedule *schedule = schedule_create(NULL, path->count, count);
    for (uint32_t i = 0; i < path->count; i++) {
        const Label *label = job_label(path->items[i]);
        schedule->steps[i] =
            (PlanStep){.agent = label->agent, .choice_count = label->choice_count, .first_choice = next};
        if (label->choice_count)
            memcpy(&schedule->choices[next], label->choices, label->choice_count * sizeof *label->choices);
        next += label->choice_count;
    }
    return schedule;
}

static void resolve_step(Jobs *jobs, Job *job, const Execution *ex, const Event *event)
{
    VEC(Touch) touches = {0};
    VEC(Literal) choices = {0};
    Label label = {.agent = event->agent, .index = event->index, .touch_count = event->access_count,
                   .choice_count = event->choice_count};
    for (uint32_t n = 0; n < event->access_count; n++) {
        const Access *access = &ex->accesses[event->first_access + n];
        VEC_PUSH(&touches, touch_of(access));
        label.filter |= label_filter_bit(access->resource);
    }
    for (uint32_t c = 0; c < event->choice_count; c++) {
        const Choice *choice = &ex->choices[event->first_choice + c];
        VEC_PUSH(&choices, ((Literal){.condition = choice->condition, .taken = choice->taken}));
        label.conditional = label.conditional || choice->condition != 0;
    }
    label.touches = touches.items;
    label.choices = choices.items;
    jobs_resolve(jobs, job, &label);
    VEC_FREE(&touches);
    VEC_FREE(&choices);
}

/* Resolves the nodes by the steps of the run; false if these have other choices than the tree's. */
static bool take_over(Jobs *jobs, const Execution *ex, const JobPath *path)
{
    for (uint32_t i = 0; i < path->count; i++) {
        if (ex->events[i].choice_count != job_label(path->items[i])->choice_count)
            return false;
        if (!job_is_resolved(path->items[i]))
            resolve_step(jobs, path->items[i], ex, &ex->events[i]);
    }
    return true;
}

static ResolveResult resolve_path(Search *search, Jobs *jobs, const JobPath *path, bool *busy)
{
    Schedule *schedule = schedule_of(path);
    ResolveResult result = resolve_schedule(search, schedule, busy);
    schedule_destroy(NULL, schedule);
    return result == RESOLVE_DONE && !take_over(jobs, search->probe, path) ? RESOLVE_LOST : result;
}

ResolveResult resolve_jobs(Search *search, Jobs *jobs, Job *job, bool *busy)
{
    JobPath path = {0};
    ResolveResult result = RESOLVE_DONE;
    while (result == RESOLVE_DONE && jobs_find_unresolved(jobs, job, &path))
        result = resolve_path(search, jobs, &path, busy);
    VEC_FREE(&path);
    return result;
}
