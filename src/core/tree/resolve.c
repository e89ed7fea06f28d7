/* resolve.c - see resolve.h */
#include "core/tree/resolve.h"

#include <string.h>

#include "core/tree/jobs_unresolved.h"

/* How many of a step's choices are known well enough to be planned. */
static uint32_t known_choices(const Job *job)
{
    const Label *label = job_label(job);
    uint32_t known = 0;
    while (known < label->choice_count && (job_is_resolved(job) || label->choices[known].condition == 0))
        known++;
    return known;
}

static void plan_path(Execution *ex, const JobPath *path)
{
    uint32_t choice = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        const Label *label = job_label(path->items[i]);
        uint32_t known = known_choices(path->items[i]);
        ex->plan[i] = (PlanStep){.agent = label->agent, .choice_count = (uint16_t)known, .first_choice = choice};
        if (known)
            memcpy(&ex->plan_choices[choice], label->choices, known * sizeof *label->choices);
        choice += known;
    }
    ex->plan_length = path->count;
}

/* Finds the first choice with another outcome than the wanted one; false if there is none. */
static bool find_difference(const Execution *ex, const JobPath *path, uint32_t *step, uint32_t *choice)
{
    for (*step = 0; *step < path->count && *step < ex->event_count; ++*step) {
        const Label *label = job_label(path->items[*step]);
        const Event *event = &ex->events[*step];
        for (*choice = 0; *choice < label->choice_count && *choice < event->choice_count; ++*choice)
            if (ex->choices[event->first_choice + *choice].taken != label->choices[*choice].taken)
                return true;
    }
    return false;
}

/* Plans what the run did up to the difference, then the wanted outcome. */
static void plan_other(Execution *ex, const JobPath *path, uint32_t step, uint32_t choice)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        const Label *label = job_label(path->items[i]);
        uint32_t count = i < step ? label->choice_count : i == step ? choice + 1 : known_choices(path->items[i]);
        ex->plan[i].choice_count = (uint16_t)count;
        ex->plan[i].first_choice = next;
        for (uint32_t c = 0; c < count; c++) {
            uint32_t condition =
                i <= step ? ex->choices[ex->events[i].first_choice + c].condition : label->choices[c].condition;
            ex->plan_choices[next++] = (Literal){.condition = condition, .taken = label->choices[c].taken};
        }
    }
}

static bool same_step(const Execution *ex, const Event *event, const Label *label)
{
    if (event->agent != label->agent || event->choice_count != label->choice_count)
        return false;
    for (uint32_t c = 0; c < label->choice_count; c++)
        if (ex->choices[event->first_choice + c].taken != label->choices[c].taken)
            return false;
    return true;
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

/* Resolves the nodes by the steps of the run; false if these are not the tree's. */
static bool take_over(Jobs *jobs, const Execution *ex, const JobPath *path)
{
    if (ex->event_count < path->count)
        return false;
    for (uint32_t i = 0; i < path->count; i++) {
        if (!same_step(ex, &ex->events[i], job_label(path->items[i])))
            return false;
        if (!job_is_resolved(path->items[i]))
            resolve_step(jobs, path->items[i], ex, &ex->events[i]);
    }
    return true;
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

/* Each run settles at least one choice. */
static ResolveResult resolve_path(Search *search, Jobs *jobs, const JobPath *path, bool *busy)
{
    Execution *probe = search->probe;
    uint32_t step, choice;
    bool died = *busy && probe->plan_length == path->count; /* in the run that is requested again */
    if (!died) {
        plan_path(probe, path);
        if (!run(search, busy))
            return RESOLVE_UNKNOWN;
    }
    *busy = false;
    while (find_difference(probe, path, &step, &choice)) {
        if (died || (step < path->count && choice < probe->plan[step].choice_count))
            return RESOLVE_LOST;
        plan_other(probe, path, step, choice);
        if (!run(search, busy))
            return RESOLVE_UNKNOWN;
    }
    return take_over(jobs, probe, path) ? RESOLVE_DONE : RESOLVE_LOST;
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
