/* dpor_learn.c - learning from an execution: reversals of its races, other outcomes of its steps
 *
 * With REDUCTION_OPTIMAL the whole reversed sequence is inserted into the tree, unless it is
 * covered there; with REDUCTION_SOURCE only its first step is.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "core/dpor/dpor_internal.h"
#include "core/tree/jobs_insert.h"
#include "core/tree/jobs_replica.h"

/* ---- Partial runs -------------------------------------------------------- */

void dpor_run_outcomes(OutcomeSource *source, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                       void (*each)(void *context, const Label *label), void *context)
{
    Dpor *dpor = (Dpor *)((char *)source - offsetof(Dpor, source));
    Execution *ex = dpor->probe.ex;
    Label last = {.agent = agent};
    dpor_plan_prefix(dpor, ex, first);
    for (uint32_t i = 0; i < count; i++)
        plan_label(ex, first + i, steps[i]);
    plan_label(ex, first + count, &last);
    probe_outcomes(&dpor->probe, each, context);
}

/* ---- Reversals ----------------------------------------------------------- */

void dpor_add_literals(Dpor *dpor, uint32_t level)
{
    const Label *label = &dpor->hb.events.items[level].label;
    for (uint32_t c = 0; c < label->choice_count && label->conditional; c++)
        if (label->choices[c].condition)
            VEC_PUSH(&dpor->literals, label->choices[c]);
}

/* The path condition of a level. */
static void collect_literals(Dpor *dpor, uint32_t level)
{
    const Hb *hb = &dpor->hb;
    dpor->literals.count = 0;
    for (uint32_t i = 0; i < hb->conditional.count && hb->conditional.items[i] < level; i++)
        dpor_add_literals(dpor, hb->conditional.items[i]);
}

typedef struct OtherOutcomes {
    Dpor *dpor;
    uint32_t level;
} OtherOutcomes;

static void add_other_outcome(void *context, const Label *label)
{
    OtherOutcomes *other = context;
    wakeup_add_outcome(other->dpor->state->tree, other->level, label);
}

/* With source sets an agent sleeps with all outcomes of its step: so all outcomes are inserted together. */
static void insert_first(Dpor *dpor, uint32_t level)
{
    OtherOutcomes other = {.dpor = dpor, .level = level};
    const Label *step = dpor->sequence.items[0];
    if (wakeup_insert_first(dpor->state->tree, &dpor->sleep, &dpor->hb, level, &dpor->sequence) &&
        step->choice_count > 0)
        dpor_run_outcomes(&dpor->source, level, NULL, 0, step->agent, add_other_outcome, &other);
}

/* Inserts into the common tree a sequence that belongs above the job's root. */
static void insert_above(Dpor *dpor, uint32_t first)
{
    uint32_t copied = jobs_connected(dpor->state->jobs) ? dpor->sequence.count : 0;
    dpor->copy.count = 0;
    for (uint32_t i = 0; i < copied; i++)
        VEC_PUSH(&dpor->copy, dpor->sequence.items[i]); /* the insertion may use the sequence up */
    if (jobs_insert(dpor->state->jobs, &dpor->state->hand, &dpor->cover, first, &dpor->insertion, dpor->literals.items,
                    dpor->literals.count, &dpor->sequence) == JOBS_DEFERRED)
        dpor_defer_sequence(dpor, first, &dpor->copy);
}

static void insert_sequence(Dpor *dpor, uint32_t first)
{
    WakeupTree *tree = dpor->state->tree;
    WakeupView view;
    collect_literals(dpor, first);
    if (first < job_depth(dpor->state->hand.job)) {
        insert_above(dpor, first);
    } else if (dpor_is_source(dpor)) {
        insert_first(dpor, first);
    } else {
        dpor->sleepers.count = 0;
        wakeup_sleepers(&dpor->sleep, first, &dpor->sleepers);
        wakeup_view(&view, tree, &dpor->hb);
        insertion_run(&dpor->insertion, &view.tree, (TreeNode){.level = first}, first, &dpor->sleepers,
                      dpor->literals.items, dpor->literals.count, &dpor->sequence);
    }
}

typedef struct RunInsertion {
    Dpor *dpor;
    const Reversal *reversal;
    VEC(Label *) outcomes;
} RunInsertion;

static void keep_outcome(void *context, const Label *label)
{
    RunInsertion *run = context;
    Label *copy = mem_alloc(sizeof *copy + label_tail_size(label));
    label_copy(copy, label, copy + 1);
    VEC_PUSH(&run->outcomes, copy);
}

/* The reversed step has to be run in its new context, once for each outcome it has there. */
static void insert_by_running(Dpor *dpor, const Reversal *reversal)
{
    RunInsertion run = {.dpor = dpor, .reversal = reversal};
    dpor_run_outcomes(&dpor->source, reversal->first, dpor->sequence.items, dpor->sequence.count, reversal->step.agent,
                      keep_outcome, &run);
    for (uint32_t i = 0; i < run.outcomes.count; i++) {
        dpor->sequence.count = 0;
        reversal_sequence(reversal, &dpor->sequence);
        VEC_PUSH(&dpor->sequence, run.outcomes.items[i]);
        insert_sequence(dpor, reversal->first);
        free(run.outcomes.items[i]);
    }
    VEC_FREE(&run.outcomes);
}

/* ---- What stays covered (REV-5) -------------------------------------------- */

static void rest_on(Dpor *dpor, uint32_t end)
{
    if (end > dpor->rests)
        dpor->rests = end;
}

/* The reversed step commutes with what is kept behind its old position: it counts there, unless it does something else
 * in the new context. */
static uint32_t old_position(const Dpor *dpor, const Reversal *reversal, const Label *label)
{
    for (uint32_t n = 0; n < label->touch_count; n++)
        if (label->touches[n].mode != dpor->hb.touches[reversal->step.first_access + n].mode)
            return GROUNDS_NONE;
    return reversal->step.position;
}

/* Does what the step would do elsewhere, or whether it could be taken, follow from events before it? Later ones that
 * are kept do not conflict with it; but updates that commute change its value. */
static bool follows_from_past(const Dpor *dpor, uint32_t position)
{
    const Event *event = &dpor->hb.ex->events[position];
    for (uint32_t n = 0; n < event->access_count; n++) {
        const Access *access = &dpor->hb.ex->accesses[event->first_access + n];
        bool depends = access->role != ROLE_NONE || event->flags & EVENT_OPAQUE;
        if (depends && access->mode != MODE_READ && access->mode != MODE_WRITE)
            return false;
    }
    return true;
}

static void insert_known(Dpor *dpor, const Reversal *reversal, const Label *label)
{
    uint64_t inserted = dpor->insertion.inserted;
    Grounds *grounds = &dpor->insertion.grounds;
    *grounds = (Grounds){.hb = &dpor->hb,
                         .step = label,
                         .position = old_position(dpor, reversal, label),
                         .previous = reversal->step.previous};
    VEC_PUSH(&dpor->sequence, label);
    insert_sequence(dpor, reversal->first);
    bool kept = reversal->first >= job_depth(dpor->state->hand.job) && !dpor_is_source(dpor);
    rest_on(dpor, kept && dpor->insertion.inserted == inserted ? grounds->end : GROUNDS_NONE);
    *grounds = (Grounds){0};
}

void dpor_insert_reversal(ReversalVisitor *visitor, const Reversal *reversal)
{
    Dpor *dpor = (Dpor *)((char *)visitor - offsetof(Dpor, visitor));
    Label label;
    dpor->sequence.count = 0;
    reversal_sequence(reversal, &dpor->sequence);
    VEC_RESERVE(&dpor->touches, reversal->step.access_count);
    if (reversal_resolve(reversal, &label, dpor->touches.items) == RESOLVED_BY_RUN) {
        insert_by_running(dpor, reversal);
        rest_on(dpor, GROUNDS_NONE);
    } else {
        insert_known(dpor, reversal, &label);
    }
}

/* ---- Other outcomes ------------------------------------------------------ */

/* Are there inputs for the path condition in `literals` together with one more? */
static bool is_feasible(Dpor *dpor, Literal last)
{
    Program *program = dpor->search->program;
    if (!last.condition || !program->ops->feasible)
        return true;
    VEC_PUSH(&dpor->literals, last);
    bool answer = program->ops->feasible(program, dpor->literals.items, dpor->literals.count, NULL, NULL, 0);
    dpor->literals.count--;
    return answer;
}

/* The same step with another outcome; `literals` is the path condition of the level. */
static void insert_other_values(Dpor *dpor, uint32_t level)
{
    const Execution *ex = dpor->search->ex;
    const Choice *choice = &ex->choices[ex->events[level].first_choice];
    Label label = dpor->hb.events.items[level].label;
    Literal other = {.condition = choice->condition};
    label.choices = &other;
    for (; other.taken < choice->options; other.taken++)
        if (other.taken != choice->taken && is_feasible(dpor, other))
            wakeup_add_outcome(dpor->state->tree, level, &label);
}

/* The other outcomes of a step with choices behind the plan become pending. */
static void insert_other_outcomes(Dpor *dpor, uint32_t level)
{
    const Execution *ex = dpor->search->ex;
    const Event *event = &ex->events[level];
    OtherOutcomes other = {.dpor = dpor, .level = level};
    Label last = {.agent = event->agent};
    dpor_plan_prefix(dpor, dpor->probe.ex, level);
    plan_label(dpor->probe.ex, level, &last);
    probe_other_outcomes(&dpor->probe, &ex->choices[event->first_choice], event->choice_count, add_other_outcome,
                         &other);
}

static bool has_options(const Execution *ex, const Event *event)
{
    for (uint32_t c = 0; c < event->choice_count; c++)
        if (ex->choices[event->first_choice + c].options > 1)
            return true;
    return false;
}

/* The other outcomes of all steps behind the plan. */
static void insert_outcomes(Dpor *dpor, uint32_t planned)
{
    const Execution *ex = dpor->search->ex;
    if (!ex->choice_count)
        return;
    collect_literals(dpor, planned);
    for (uint32_t i = planned; i < ex->event_count; i++) {
        if (ex->events[i].flags & EVENT_FIXED)
            insert_other_values(dpor, i);
        else if (has_options(ex, &ex->events[i]))
            insert_other_outcomes(dpor, i);
        dpor_add_literals(dpor, i);
    }
}

/* ---- An execution -------------------------------------------------------- */

/* The prescribed steps must have done what the tree says. */
static bool branch_as_prescribed(const Dpor *dpor)
{
    for (uint32_t i = 0; i < dpor->branch.count; i++) {
        if (!hb_repeats(&dpor->hb, dpor->state->fresh + i, dpor->branch.items[i]->label))
            return false;
    }
    return true;
}

/* The first events that are settled are those of the execution before. */
static void reverse_races(Dpor *dpor)
{
    const Execution *ex = dpor->search->ex;
    uint32_t known = dpor->settled.count;
    VEC_RESERVE(&dpor->settled, ex->event_count);
    for (uint32_t i = 0; i < ex->event_count; i++) {
        if (i < known && dpor->settled.items[i] <= known)
            continue;
        dpor->rests = follows_from_past(dpor, i) ? i + 1 : GROUNDS_NONE;
        reversal_of_event(&dpor->hb, &dpor->scratch, i, &dpor->visitor);
        dpor->settled.items[i] = dpor->rests;
    }
    dpor->settled.count = ex->event_count;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        reversal_of_blocked(&dpor->hb, &dpor->scratch, &ex->blocked[i], &dpor->visitor);
}

/* Learning runs the program as well. If that killed the previous process, learning is repeated: what was
 * inserted then is covered now, and the run that crashed is not repeated. */
static void note_probe_crash(Dpor *dpor)
{
    DporState *state = dpor->state;
    ProbeCrash *crash = probe_find_crash(&dpor->probe, state->tree->region);
    if (crash) {
        crash->next = state->crashes;
        state->crashes = crash;
    }
    dpor->probe.crashes = state->crashes;
}

/* One agent without choices has one execution: there is nothing to learn, however long it is. */
static bool is_only_execution(const Dpor *dpor, const Execution *ex)
{
    return ex->agent_count == 1 && ex->choice_count == 0 && ex->plan_length == 0 && dpor->branch.count == 0;
}

void dpor_learn(Search *search)
{
    Dpor *dpor = search->local;
    Execution *ex = search->ex;
    uint32_t planned = ex->plan_length;
    if (is_only_execution(dpor, ex))
        return;
    bool fits = hb_fits(&dpor->hb);
    hb_extend(&dpor->hb);
    bool followed =
        fits && (dpor->branch.count > 0 ? branch_as_prescribed(dpor) : job_followed(dpor->state->hand.job, &dpor->hb));
    if (!followed) {
        ex->end = END_DIVERGED;
        ex->diverged_at = dpor->state->fresh;
        return;
    }
    dpor_know_sleep(dpor);
    note_probe_crash(dpor);
    dpor->probe.ex->max_agent_steps = ex->max_agent_steps;
    insert_outcomes(dpor, planned);
    reverse_races(dpor);
    dpor_free_branch(dpor);
    if (dpor->probe.diverged)
        ex->end = END_DIVERGED;
}
