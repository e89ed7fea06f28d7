/* strategy_dpor.c - one execution per class: wakeup trees; or source sets and sleep sets
 *
 * After each execution every race is reversed, and the reversed sequence is inserted
 * into the tree unless it is covered there. With REDUCTION_OPTIMAL whole sequences are
 * inserted and nothing sleeps at a leaf (WUT-1); with REDUCTION_SOURCE only their
 * first step is, and the free part of an execution must mind its sleep set.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/hb.h"
#include "core/jobs.h"
#include "core/probe.h"
#include "core/resolve.h"
#include "core/reversal.h"
#include "core/strategy.h"
#include "core/wakeup.h"

/* ---- Types ------------------------------------------------------------ */

/* A sequence that waits for jobs_insert_batch; in the region. */
typedef struct Kept Kept;
struct Kept {
    Kept *next;
    uint32_t first;
    uint32_t count;
    WakeupNode *steps;
};

/* What was counted when the search went another way at a level, the last time it did. All that
 * was counted since lies below the node after that step. */
typedef struct Mark {
    uint32_t level;
    ExploreStats stats;
} Mark;

typedef struct DporState {
    WakeupTree *tree;    /* below the root of the job; levels above it are empty       */
    Jobs *jobs;
    bool owns_jobs;
    JobHand hand;        /* the job being explored                                     */
    uint32_t fresh;      /* the first level that differs from the execution before     */
    bool beginning;      /* the job was taken, its first execution is not planned yet  */
    bool resolving;      /* see resolve.h                                              */
    uint32_t kept_count; /* sequences for the part of the tree that other machines share */
    Kept *kept;
    bool started;        /* there is an execution to go on from                        */
    ExploreStats before[2]; /* what was counted before the job in hand, by its turn    */
    ProbeCrash *crashes; /* partial runs that killed their process, of this job        */
    Mark *marks;         /* of the current execution, levels ascending                 */
    uint32_t mark_count, mark_capacity;
} DporState;

typedef struct Dpor {
    Picker picker;             /* source sets only */
    ReversalVisitor visitor;
    OutcomeSource source;
    Insertion insertion;
    Search *search;
    DporState *state;
    Hb hb;
    SleepSets sleep;
    WakeupBranch branch;       /* the prescribed steps of the planned execution, from `fresh` on */
    LabelSequence sequence, copy;
    JobCover cover;            /* see jobs.h                                           */
    ReversalScratch scratch;
    Probe probe;
    VEC(Touch) touches;        /* of the reversed step                                 */
    VEC(Literal) literals;     /* path condition of the level at which a sequence is inserted */
    LabelSequence sleepers;
    LabelSequence asleep;      /* source sets: what sleeps where the execution is */
    uint32_t seen;             /* source sets: events already woken up for        */
} Dpor;

/* ---- Lifecycle -------------------------------------------------------- */

static void *dpor_create(Region *region, const ExploreOptions *options)
{
    DporState *state = region_alloc(region, sizeof *state);
    *state = (DporState){.tree = wakeup_create(region), .jobs = options->jobs, .owns_jobs = !options->jobs};
    if (state->owns_jobs)
        state->jobs = jobs_create(region);
    return state;
}

static void drop_kept(Dpor *dpor);

static void dpor_destroy(void *memory)
{
    DporState *state = memory;
    Region *region = state->tree->region;
    Dpor self = {.state = state};
    drop_kept(&self);
    wakeup_destroy(state->tree);
    if (state->owns_jobs)
        jobs_destroy(state->jobs);
    if (state->mark_capacity)
        region_free(region, state->marks, state->mark_capacity * sizeof *state->marks);
    region_free(region, state, sizeof *state);
}

static AgentId pick_awake(Picker *picker, Execution *ex, AgentId current);
static void insert_reversal(ReversalVisitor *visitor, const Reversal *reversal);
static void run_outcomes(OutcomeSource *source, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                         void (*each)(void *context, const Label *label), void *context);

static bool is_source(const Dpor *dpor)
{
    return dpor->search->options->reduction == REDUCTION_SOURCE;
}

static void dpor_attach(Search *search)
{
    Dpor *dpor = mem_alloc(sizeof *dpor);
    dpor->search = search;
    dpor->state = search->state;
    dpor->picker.pick = pick_awake;
    dpor->visitor.visit = insert_reversal;
    dpor->source.outcomes = run_outcomes;
    insertion_init(&dpor->insertion, search->program, &dpor->source);
    probe_init(&dpor->probe, search->program, search->probe, &search->stats->probes);
    hb_init(&dpor->hb, search->ex);
    dpor->sleep.whole_agents = is_source(dpor);
    if (dpor->state->started)
        hb_extend(&dpor->hb); /* another process, or an earlier slice, ran it */
    search->local = dpor;
}

static void free_branch(Dpor *dpor)
{
    for (uint32_t i = 0; i < dpor->branch.count; i++)
        wakeup_free_node(dpor->state->tree, dpor->branch.items[i]);
    dpor->branch.count = 0;
}

static void dpor_detach(Search *search)
{
    Dpor *dpor = search->local;
    free_branch(dpor);
    hb_release(&dpor->hb);
    VEC_FREE(&dpor->branch);
    VEC_FREE(&dpor->sequence);
    VEC_FREE(&dpor->copy);
    jobcover_release(&dpor->cover);
    reversal_release(&dpor->scratch);
    VEC_FREE(&dpor->touches);
    VEC_FREE(&dpor->asleep);
    VEC_FREE(&dpor->literals);
    VEC_FREE(&dpor->sleepers);
    insertion_release(&dpor->insertion);
    probe_release(&dpor->probe);
    VEC_FREE(&dpor->sleep.labels);
    VEC_FREE(&dpor->sleep.starts);
    free(dpor);
}

/* ---- Plans ------------------------------------------------------------ */

/* Plans the first `length` steps of the last execution; what the plan holds already stays. */
static void plan_prefix(Dpor *dpor, Execution *ex, uint32_t length)
{
    uint32_t known = ex == dpor->search->ex ? ex->plan_length : 0;
    for (uint32_t i = known < length ? known : length; i < length; i++)
        plan_label(ex, i, &dpor->hb.events.items[i].label);
    ex->plan_length = length;
}

static bool deepest_pending(const WakeupTree *tree, uint32_t *level)
{
    for (uint32_t i = tree->depth; i-- > 0;)
        if (tree->levels[i].pending) {
            *level = i;
            return true;
        }
    return false;
}

static void plan_branch(Dpor *dpor, uint32_t level)
{
    Execution *ex = dpor->search->ex;
    plan_prefix(dpor, ex, level);
    for (uint32_t i = 0; i < dpor->branch.count; i++)
        plan_label(ex, level + i, &dpor->branch.items[i]->label);
}

/* ---- Counts by node ----------------------------------------------------- */

static void grow_marks(DporState *state)
{
    uint32_t capacity = state->mark_capacity ? 2 * state->mark_capacity : 64;
    Mark *grown = region_alloc(state->tree->region, capacity * sizeof *grown);
    if (state->mark_capacity) {
        memcpy(grown, state->marks, state->mark_count * sizeof *grown);
        region_free(state->tree->region, state->marks, state->mark_capacity * sizeof *grown);
    }
    state->marks = grown;
    state->mark_capacity = capacity;
}

/* The execution that is planned now goes another way from `level` on. */
static void mark_level(DporState *state, uint32_t level, const ExploreStats *stats)
{
    while (state->mark_count > 0 && state->marks[state->mark_count - 1].level >= level)
        state->mark_count--;
    if (state->mark_count == state->mark_capacity)
        grow_marks(state);
    state->marks[state->mark_count++] = (Mark){.level = level, .stats = *stats};
}

/* What was counted before the node after the first `depth` steps was entered. */
static const ExploreStats *counted_before(const DporState *state, uint32_t depth)
{
    uint32_t i = state->mark_count - 1;
    while (i > 0 && state->marks[i].level >= depth)
        i--;
    return &state->marks[i].stats;
}

/* What counts as done before the job that comes into our hand next. */
static ExploreStats *before_next(DporState *state) { return &state->before[(state->hand.turn + 1) % 2]; }
static const ExploreStats *before_job(const DporState *state) { return &state->before[state->hand.turn % 2]; }

/* The next execution of the job in hand; false if it is explored. */
static bool next_in_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    uint32_t level;
    if (!deepest_pending(state->tree, &level))
        return false;
    wakeup_add_done(state->tree, level, &dpor->hb.events.items[level].label);
    wakeup_truncate(state->tree, level + 1);
    wakeup_take(state->tree, level, &dpor->branch);
    state->fresh = level;
    mark_level(state, level, dpor->search->stats);
    plan_branch(dpor, level);
    uint32_t asleep = wakeup_sleep(&dpor->sleep, state->tree, &dpor->hb, level, &dpor->branch, level);
    assert((is_source(dpor) || asleep == 0) && "WUT-1");
    (void)asleep;
    hb_rewind(&dpor->hb, level);
    return true;
}

/* An optimal search knows its sleep sets from planning, unless this process just took over;
 * and they are empty behind the plan (WUT-1). */
static void know_sleep(Dpor *dpor)
{
    const Execution *ex = dpor->search->ex;
    WakeupBranch none = {0};
    uint32_t end = is_source(dpor) || ex->plan_length > ex->event_count ? ex->event_count : ex->plan_length;
    if (dpor->sleep.starts.count < end + 2)
        wakeup_sleep(&dpor->sleep, dpor->state->tree, &dpor->hb, end, &none, dpor->state->fresh);
}

/* The first execution of a new job. */
static Next begin_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    bool finished;
    if (!state->beginning) {
        *before_next(state) = *dpor->search->stats;
        jobs_take(state->jobs, &state->hand, &finished);
        state->beginning = state->hand.job != NULL;
        if (!state->hand.job)
            return finished ? NEXT_NONE : NEXT_WAIT;
    }
    if (!resolve_jobs(dpor->search, state->jobs, state->hand.job, &state->resolving))
        return NEXT_LOST;
    job_plan(state->hand.job, dpor->search->ex);
    wakeup_truncate(state->tree, 0);
    state->started = true;
    state->fresh = 0;
    state->mark_count = 0;
    mark_level(state, 0, before_job(state));
    dpor->sleep.starts.count = dpor->sleep.labels.count = 0;
    hb_rewind(&dpor->hb, 0);
    state->beginning = false;
    return NEXT_PLANNED;
}

/* ---- Sequences for the part of the tree that other machines share ------ */

enum { KEPT_MAX = 64 };

static void keep_sequence(Dpor *dpor, uint32_t first, const LabelSequence *sequence)
{
    DporState *state = dpor->state;
    Kept *kept = region_alloc(state->tree->region, sizeof *kept);
    *kept = (Kept){.first = first, .count = sequence->count, .next = state->kept};
    for (uint32_t i = sequence->count; i-- > 0;) {
        WakeupNode *node = wakeup_make_node(state->tree, sequence->items[i]);
        node->next = kept->steps;
        kept->steps = node;
    }
    state->kept = kept;
    state->kept_count++;
}

static void drop_kept(Dpor *dpor)
{
    DporState *state = dpor->state;
    while (state->kept) {
        Kept *kept = state->kept;
        state->kept = kept->next;
        for (WakeupNode *node = kept->steps, *next; node; node = next) {
            next = node->next;
            wakeup_free_node(state->tree, node);
        }
        region_free(state->tree->region, kept, sizeof *kept);
    }
    state->kept_count = 0;
}

static void add_literals(Dpor *dpor, uint32_t level);

/* The path conditions of all levels above the job's root. */
static void collect_path_condition(Dpor *dpor, uint32_t *ends)
{
    uint32_t depth = job_depth(dpor->state->hand.job);
    dpor->literals.count = 0;
    for (uint32_t i = 0; i <= depth; i++) {
        ends[i] = dpor->literals.count;
        if (i < depth && dpor->search->program->ops->feasible)
            add_literals(dpor, i);
    }
}

static void list_kept(const DporState *state, JobsItem *items)
{
    uint32_t n = 0;
    for (const Kept *kept = state->kept; kept; kept = kept->next, n++) {
        items[n] = (JobsItem){.first = kept->first};
        for (const WakeupNode *node = kept->steps; node; node = node->next)
            VEC_PUSH(&items[n].sequence, &node->label);
    }
}

/* Brings the kept sequences into the store's tree, now and then or, with `all`, now. False if
 * that is impossible: then the job cannot be finished here. */
static bool insert_kept(Dpor *dpor, bool all)
{
    DporState *state = dpor->state;
    if (state->kept_count == 0 || (!all && state->kept_count < KEPT_MAX))
        return true;
    JobsItem *items = mem_alloc(state->kept_count * sizeof *items);
    uint32_t *ends = mem_alloc((job_depth(state->hand.job) + 1) * sizeof *ends);
    collect_path_condition(dpor, ends);
    list_kept(state, items);
    int answer;
    while ((answer = jobs_insert_batch(state->jobs, state->hand.job, &dpor->insertion, dpor->literals.items, ends, items,
                                       state->kept_count)) == 0)
        if (!resolve_jobs(dpor->search, state->jobs, state->hand.job, &state->resolving))
            break;
    for (uint32_t i = 0; i < state->kept_count; i++)
        VEC_FREE(&items[i].sequence);
    free(items);
    free(ends);
    if (answer == 1)
        drop_kept(dpor);
    return answer == 1;
}

/* ---- Sharing --------------------------------------------------------- */

/* Others have nothing to do: they get what is pending at the shallowest level that has
 * anything, and on to the next level at which nothing sleeps. */
static void share_work(Dpor *dpor)
{
    DporState *state = dpor->state;
    uint32_t level = job_depth(state->hand.job);
    while (level < state->tree->depth && !state->tree->levels[level].pending)
        level++;
    if (level >= state->tree->depth)
        return;
    know_sleep(dpor);
    do
        level++;
    while (level < dpor->hb.count && wakeup_asleep(&dpor->sleep, level) > 0);
    *before_next(state) = *counted_before(state, level);
    jobs_give(state->jobs, &state->hand, state->tree, &dpor->hb, level);
    dpor->sleep.starts.count = dpor->sleep.labels.count = 0;
}

static Next dpor_next(Search *search)
{
    Dpor *dpor = search->local;
    DporState *state = dpor->state;
    search->ex->picker = is_source(dpor) ? &dpor->picker : NULL;
    dpor->seen = 0;
    if (state->hand.job && !state->beginning) {
        if (!insert_kept(dpor, false))
            return NEXT_LOST;
        if (!is_source(dpor) && jobs_wanted(state->jobs))
            share_work(dpor);
        if (next_in_job(dpor))
            return NEXT_PLANNED;
        if (!insert_kept(dpor, true))
            return NEXT_LOST;
        jobs_end(state->jobs, &state->hand);
    }
    return begin_job(dpor);
}

/* The job in hand is explored from its root again. What was inserted above it is covered
 * there; what was kept is inserted later. */
static void *dpor_restart(const void *memory, Region *fresh, const ExploreOptions *options, ExploreStats *stats)
{
    const DporState *old = memory;
    if (old->owns_jobs || !jobs_are_sound(old->jobs))
        return NULL;
    DporState *state = dpor_create(fresh, options);
    state->hand = old->hand;
    memcpy(state->before, old->before, sizeof state->before);
    state->beginning = state->hand.job != NULL;
    state->kept = old->kept;
    for (const Kept *kept = state->kept; kept; kept = kept->next)
        state->kept_count++;
    if (state->hand.job)
        *stats = *before_job(state);
    return state;
}

/* Everything pending becomes jobs. A source-set search keeps what it has. */
static bool dpor_suspend(Search *search)
{
    Dpor *dpor = search->local;
    DporState *state = dpor->state;
    if (is_source(dpor))
        return false;
    if (!state->hand.job)
        return true;
    if (state->beginning) {
        jobs_put_back(state->jobs, &state->hand);
        state->beginning = false;
    } else {
        if (!insert_kept(dpor, true))
            return false;
        jobs_give_all(state->jobs, &state->hand, state->tree, &dpor->hb);
    }
    return true;
}

/* ---- Source sets: the free part of an execution ------------------------ */

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
    if (level + 1 < dpor->sleep.starts.count)
        for (uint32_t s = dpor->sleep.starts.items[level]; s < dpor->sleep.starts.items[level + 1]; s++)
            VEC_PUSH(&dpor->asleep, dpor->sleep.labels.items[s]);
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

static AgentId pick_awake(Picker *picker, Execution *ex, AgentId current)
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

/* ---- Learning: partial runs -------------------------------------------- */

static void run_outcomes(OutcomeSource *source, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                         void (*each)(void *context, const Label *label), void *context)
{
    Dpor *dpor = (Dpor *)((char *)source - offsetof(Dpor, source));
    Execution *ex = dpor->probe.ex;
    Label last = {.agent = agent};
    plan_prefix(dpor, ex, first);
    for (uint32_t i = 0; i < count; i++)
        plan_label(ex, first + i, steps[i]);
    plan_label(ex, first + count, &last);
    probe_outcomes(&dpor->probe, each, context);
}

/* ---- Learning: reversals ----------------------------------------------- */

static void add_literals(Dpor *dpor, uint32_t level)
{
    const Label *label = &dpor->hb.events.items[level].label;
    for (uint32_t c = 0; c < label->choice_count && label->conditional; c++)
        if (label->choices[c].condition)
            VEC_PUSH(&dpor->literals, label->choices[c]);
}

/* The path condition of a level. */
static void collect_literals(Dpor *dpor, uint32_t level)
{
    dpor->literals.count = 0;
    for (uint32_t i = 0; i < level && dpor->search->program->ops->feasible; i++)
        add_literals(dpor, i);
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

/* Where an agent sleeps, all that it could do has been explored: so all outcomes of a step
 * go into the tree together. */
static void insert_first(Dpor *dpor, uint32_t level)
{
    OtherOutcomes other = {.dpor = dpor, .level = level};
    const Label *step = dpor->sequence.items[0];
    if (wakeup_insert_first(dpor->state->tree, &dpor->sleep, &dpor->hb, level, &dpor->sequence) && step->choice_count > 0)
        run_outcomes(&dpor->source, level, NULL, 0, step->agent, add_other_outcome, &other);
}

/* What belongs above the job's root goes into the common tree. */
static void insert_above(Dpor *dpor, uint32_t first)
{
    uint32_t copied = jobs_connected(dpor->state->jobs) ? dpor->sequence.count : 0;
    dpor->copy.count = 0;
    for (uint32_t i = 0; i < copied; i++)
        VEC_PUSH(&dpor->copy, dpor->sequence.items[i]); /* the insertion may use the sequence up */
    if (jobs_insert(dpor->state->jobs, &dpor->state->hand, &dpor->cover, first, &dpor->insertion, dpor->literals.items,
                    dpor->literals.count, &dpor->sequence) == JOBS_LATER)
        keep_sequence(dpor, first, &dpor->copy);
}

static void insert_sequence(Dpor *dpor, uint32_t first)
{
    WakeupTree *tree = dpor->state->tree;
    WakeupView view;
    collect_literals(dpor, first);
    if (first < job_depth(dpor->state->hand.job)) {
        insert_above(dpor, first);
    } else if (is_source(dpor)) {
        insert_first(dpor, first);
    } else {
        dpor->sleepers.count = 0;
        wakeup_sleepers(&dpor->sleep, first, &dpor->sleepers);
        wakeup_view(&view, tree, &dpor->hb);
        insertion_run(&dpor->insertion, &view.tree, (TreeNode){.level = first}, first, &dpor->sleepers, dpor->literals.items,
                      dpor->literals.count, &dpor->sequence);
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
    run_outcomes(&dpor->source, reversal->first, dpor->sequence.items, dpor->sequence.count, reversal->step.agent, keep_outcome, &run);
    for (uint32_t i = 0; i < run.outcomes.count; i++) {
        dpor->sequence.count = 0;
        reversal_sequence(reversal, &dpor->sequence);
        VEC_PUSH(&dpor->sequence, run.outcomes.items[i]);
        insert_sequence(dpor, reversal->first);
        free(run.outcomes.items[i]);
    }
    VEC_FREE(&run.outcomes);
}

static void insert_reversal(ReversalVisitor *visitor, const Reversal *reversal)
{
    Dpor *dpor = (Dpor *)((char *)visitor - offsetof(Dpor, visitor));
    Label label;
    dpor->sequence.count = 0;
    reversal_sequence(reversal, &dpor->sequence);
    VEC_RESERVE(&dpor->touches, reversal->step.access_count);
    if (reversal_resolve(reversal, &label, dpor->touches.items) == RESOLVED_BY_RUN) {
        insert_by_running(dpor, reversal);
        return;
    }
    VEC_PUSH(&dpor->sequence, &label);
    insert_sequence(dpor, reversal->first);
}

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

/* A free step with choices took one outcome: the others are explored next. */
static void insert_other_outcomes(Dpor *dpor, uint32_t level)
{
    const Execution *ex = dpor->search->ex;
    const Event *event = &ex->events[level];
    OtherOutcomes other = {.dpor = dpor, .level = level};
    Label last = {.agent = event->agent};
    plan_prefix(dpor, dpor->probe.ex, level);
    plan_label(dpor->probe.ex, level, &last);
    probe_other_outcomes(&dpor->probe, &ex->choices[event->first_choice], event->choice_count, add_other_outcome, &other);
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
    collect_literals(dpor, planned);
    for (uint32_t i = planned; i < ex->event_count; i++) {
        if (ex->events[i].flags & EVENT_FIXED)
            insert_other_values(dpor, i);
        else if (has_options(ex, &ex->events[i]))
            insert_other_outcomes(dpor, i);
        add_literals(dpor, i);
    }
}

/* ---- Learning ---------------------------------------------------------- */

/* The prescribed steps must have done what the tree says. */
static bool branch_as_prescribed(const Dpor *dpor)
{
    for (uint32_t i = 0; i < dpor->branch.count; i++) {
        uint32_t level = dpor->state->fresh + i;
        if (level >= dpor->hb.count || !label_equal(&dpor->branch.items[i]->label, &dpor->hb.events.items[level].label))
            return false;
    }
    return true;
}

static void reverse_races(Dpor *dpor)
{
    const Execution *ex = dpor->search->ex;
    for (uint32_t i = 0; i < ex->event_count; i++)
        reversal_of_event(&dpor->hb, &dpor->scratch, i, &dpor->visitor);
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        reversal_of_blocked(&dpor->hb, &dpor->scratch, &ex->blocked[i], &dpor->visitor);
}

/* Learning runs the program as well. If that killed the process before, we learn once more: what
 * was inserted then is covered now, and the run that crashed is not repeated. */
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

static void dpor_learn(Search *search)
{
    Dpor *dpor = search->local;
    Execution *ex = search->ex;
    uint32_t planned = ex->plan_length;
    hb_extend(&dpor->hb);
    bool followed = dpor->branch.count > 0 ? branch_as_prescribed(dpor) : job_followed(dpor->state->hand.job, &dpor->hb);
    if (!followed) {
        ex->end = END_DIVERGED;
        ex->diverged_at = dpor->state->fresh;
        return;
    }
    know_sleep(dpor);
    note_probe_crash(dpor);
    dpor->probe.ex->max_agent_steps = ex->max_agent_steps;
    insert_outcomes(dpor, planned);
    reverse_races(dpor);
    free_branch(dpor);
    if (dpor->probe.diverged)
        ex->end = END_DIVERGED;
}

/* The share of the job to the left of the current execution, each kid counted alike. */
static void dpor_note_progress(const Search *search)
{
    const DporState *state = search->state;
    const WakeupTree *tree = state->tree;
    if (!state->hand.job)
        return;
    double done = 0, share = 1;
    for (uint32_t i = 0; i < tree->depth; i++) {
        unsigned left = 0, right = 0;
        for (const WakeupNode *node = tree->levels[i].done; node; node = node->next)
            left++;
        for (const WakeupNode *node = tree->levels[i].pending; node; node = node->next)
            right++;
        share /= left + 1 + right;
        done += share * left;
    }
    job_note_progress(state->hand.job, done + share);
}

const StrategyOps strategy_dpor = {
    .create = dpor_create,
    .destroy = dpor_destroy,
    .attach = dpor_attach,
    .detach = dpor_detach,
    .next = dpor_next,
    .learn = dpor_learn,
    .suspend = dpor_suspend,
    .restart = dpor_restart,
    .note_progress = dpor_note_progress,
};
