/* strategy_exact.c - depth-first search with sleep sets; steps that commute in a state are independent there
 *
 * Two steps are independent in a state if their footprints do not conflict, or if both orders lead to the same state.
 * That is a property of the state, so happens-before, and with it race reversal, does not apply; sleep sets need no
 * more than that (Godefroid). The tree is walked by partial runs; an execution is planned only when no agent is
 * enabled; one for the first path that comes back to a state that is on it; and at last one for each finding of a
 * partial run that none of these has, since a path without end leads to no state without enabled agents.
 * A state that was visited before is explored only for the steps that slept there.
 * The path is local to the process: a program that knows its states does not kill it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "core/probe.h"
#include "core/schedule.h"
#include "core/strategy.h"

/* A step that could be taken, with its outcomes in the state of its level. */
typedef struct Candidate {
    AgentId agent;
    bool asleep;          /* explored elsewhere, or already explored here              */
    bool known;           /* `outcomes` are those of this state                        */
    bool owned;           /* they were made here, not borrowed from the level above    */
    VEC(Label *) outcomes;
} Candidate;

/* A state on the path. */
typedef struct ExactLevel {
    VEC(Candidate) candidates;
    uint64_t state;
    uint32_t taken;       /* the candidate being explored; `count`: none left           */
    uint32_t outcome;     /* and which outcome of it                                    */
} ExactLevel;

/* A finding of a partial run, and how to get there. */
typedef struct Lead {
    uint64_t finding;
    Schedule *schedule;
} Lead;

enum { FINDING_OPEN = 1, FINDING_SHOWN };

typedef struct Exact {
    Probe probe;
    VEC(ExactLevel) levels;
    Map visited;          /* state -> set of sleeping agents, as an index into `sets` + 1 */
    VEC(AgentId *) sets;  /* each with its length in front                               */
    Map findings;         /* of partial runs and executions, by their hash               */
    VEC(Lead) leads;      /* to those that no execution has shown yet                    */
    bool returns;         /* the planned execution ends behind its plan                  */
    bool returned;        /* one that comes back to a state was planned                  */
    bool started;
} Exact;

typedef struct ExactState {
    Region *region;
    Exact *exact;
} ExactState;

/* ---- Lifecycle -------------------------------------------------------- */

static void *exact_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    ExactState *state = region_alloc(region, sizeof *state);
    *state = (ExactState){.region = region, .exact = mem_alloc(sizeof(Exact))};
    return state;
}

static void release_level(ExactLevel *level)
{
    for (uint32_t i = 0; i < level->candidates.count; i++) {
        Candidate *candidate = &level->candidates.items[i];
        for (uint32_t k = 0; k < candidate->outcomes.count && candidate->owned; k++)
            free(candidate->outcomes.items[k]);
        VEC_FREE(&candidate->outcomes);
    }
    VEC_FREE(&level->candidates);
}

static void exact_destroy(void *memory)
{
    ExactState *state = memory;
    Exact *exact = state->exact;
    for (uint32_t i = 0; i < exact->levels.count; i++)
        release_level(&exact->levels.items[i]);
    for (uint32_t i = 0; i < exact->sets.count; i++)
        free(exact->sets.items[i]);
    VEC_FREE(&exact->levels);
    VEC_FREE(&exact->sets);
    map_release(&exact->visited);
    map_release(&exact->findings);
    for (uint32_t i = 0; i < exact->leads.count; i++)
        schedule_destroy(NULL, exact->leads.items[i].schedule);
    VEC_FREE(&exact->leads);
    probe_release(&exact->probe);
    free(exact);
    region_free(state->region, state, sizeof *state);
}

static void exact_attach(Search *search)
{
    Exact *exact = ((ExactState *)search->state)->exact;
    exact->probe.program = search->program;
    exact->probe.ex = search->probe;
    exact->probe.runs = &search->stats->probes;
    search->probe->max_agent_steps = search->ex->max_agent_steps;
    search->local = exact;
}

static void exact_detach(Search *search) { search->local = NULL; }

/* ---- Plans -------------------------------------------------------------- */

static Candidate *taken_at(const Exact *exact, uint32_t level)
{
    return &exact->levels.items[level].candidates.items[exact->levels.items[level].taken];
}

/* The steps taken above the level. */
static void plan_path(const Exact *exact, Execution *ex, uint32_t level)
{
    ex->plan_length = 0;
    for (uint32_t i = 0; i < level; i++)
        plan_label(ex, i, taken_at(exact, i)->outcomes.items[exact->levels.items[i].outcome]);
}

typedef enum Followed { FOLLOWED, NOT_FOLLOWED, LEFT_OUT } Followed;

/* Runs the plan of the partial execution, unless the program finds no inputs for it. */
static Followed follow_plan(Exact *exact)
{
    Execution *ex = exact->probe.ex;
    if (!program_solves(exact->probe.program, ex))
        return LEFT_OUT;
    ex->stop_after_plan = true;
    execution_reset(ex);
    exact->probe.program->ops->run(exact->probe.program, ex);
    ++*exact->probe.runs;
    return ex->event_count == ex->plan_length && ex->end != END_DIVERGED ? FOLLOWED : NOT_FOLLOWED;
}

/* ---- Candidates ----------------------------------------------------------- */

static void keep_outcome(void *context, const Label *label)
{
    Candidate *candidate = context;
    Label *copy = mem_alloc(sizeof *copy + label_tail_size(label));
    label_copy(copy, label, copy + 1);
    VEC_PUSH(&candidate->outcomes, copy);
}

/* Finds the outcomes of the candidate in the state of its level. */
static void learn_outcomes(Exact *exact, uint32_t level, Candidate *candidate)
{
    Label step = {.agent = candidate->agent};
    if (candidate->known)
        return;
    plan_path(exact, exact->probe.ex, level);
    plan_label(exact->probe.ex, level, &step);
    candidate->known = candidate->owned = true;
    probe_outcomes(&exact->probe, keep_outcome, candidate);
}

static bool touches_conflict(const Candidate *candidate, const Label *label)
{
    for (uint32_t i = 0; i < candidate->outcomes.count; i++)
        if (label_conflict(candidate->outcomes.items[i], label))
            return true;
    return false;
}

/* The state after two steps from the level; false if the second is not possible. */
static bool state_after(Exact *exact, uint32_t level, const Label *first, const Label *second, uint64_t *state)
{
    Program *program = exact->probe.program;
    Label step = {.agent = second->agent}; /* its footprint may differ after the first */
    plan_path(exact, exact->probe.ex, level);
    plan_label(exact->probe.ex, level, first);
    plan_label(exact->probe.ex, level + 1, &step);
    if (follow_plan(exact) != FOLLOWED)
        return false;
    const Execution *ex = exact->probe.ex;
    if (ex->events[ex->event_count - 1].choice_count > 0)
        return false;
    *state = program->ops->state(program);
    return true;
}

/* Whether the sleeping candidate and the step taken at the level commute there. */
static bool commute(Exact *exact, uint32_t level, const Candidate *candidate, const Label *label)
{
    uint64_t one, other;
    if (!touches_conflict(candidate, label))
        return true;
    const Label *only = candidate->outcomes.items[0];
    return candidate->outcomes.count == 1 && only->choice_count == 0 && label->choice_count == 0 &&
           state_after(exact, level, label, only, &one) && state_after(exact, level, only, label, &other) &&
           one == other;
}

/* ---- States visited --------------------------------------------------------- */

static bool set_has(const AgentId *set, AgentId agent)
{
    for (uint32_t i = 1; i <= set[0]; i++)
        if (set[i] == agent)
            return true;
    return false;
}

/* Removes from the set the agents that do not sleep in the level. */
static void narrow_set(AgentId *set, const ExactLevel *level)
{
    uint32_t kept = 0;
    for (uint32_t i = 1; i <= set[0]; i++)
        for (uint32_t k = 0; k < level->candidates.count; k++)
            if (level->candidates.items[k].agent == set[i] && level->candidates.items[k].asleep)
                set[++kept] = set[i];
    set[0] = kept;
}

static void remember_state(Exact *exact, uint64_t *place, const ExactLevel *level)
{
    AgentId *set = mem_alloc((level->candidates.count + 1) * sizeof *set);
    for (uint32_t i = 0; i < level->candidates.count; i++)
        if (level->candidates.items[i].asleep)
            set[++set[0]] = level->candidates.items[i].agent;
    VEC_PUSH(&exact->sets, set);
    *place = exact->sets.count;
}

/* If the state was visited before, only the steps that slept then stay awake. */
static void visit_state(Exact *exact, uint64_t state, ExactLevel *level)
{
    bool added;
    uint64_t *place = map_insert(&exact->visited, state >> 1, &added);
    if (added) {
        remember_state(exact, place, level);
        return;
    }
    AgentId *set = exact->sets.items[*place - 1];
    AgentId *before = mem_alloc((set[0] + 1) * sizeof *before);
    memcpy(before, set, (set[0] + 1) * sizeof *before);
    narrow_set(set, level);
    for (uint32_t i = 0; i < level->candidates.count; i++)
        if (!set_has(before, level->candidates.items[i].agent))
            level->candidates.items[i].asleep = true;
    free(before);
}

/* ---- The path ------------------------------------------------------------------- */

static const Candidate *find_candidate(const ExactLevel *level, AgentId agent)
{
    for (uint32_t i = 0; i < level->candidates.count; i++)
        if (level->candidates.items[i].agent == agent)
            return &level->candidates.items[i];
    return NULL;
}

/* A step that slept above stays asleep if it commutes with the one taken there. */
static void inherit_sleep(Exact *exact, uint32_t level, Candidate *candidate)
{
    const ExactLevel *above = &exact->levels.items[level - 1];
    const Candidate *same = find_candidate(above, candidate->agent);
    const Label *step = taken_at(exact, level - 1)->outcomes.items[above->outcome];
    if (!same || !same->asleep || same == taken_at(exact, level - 1))
        return;
    learn_outcomes(exact, level - 1, &exact->levels.items[level - 1].candidates.items[same - above->candidates.items]);
    if (same->outcomes.count == 0 || !commute(exact, level - 1, same, step))
        return;
    candidate->asleep = true;
    if (!touches_conflict(same, step)) {
        candidate->known = true;
        for (uint32_t i = 0; i < same->outcomes.count; i++)
            VEC_PUSH(&candidate->outcomes, same->outcomes.items[i]);
    }
}

/* Moves to the next candidate that is awake; false if there is none. */
static bool choose_awake(ExactLevel *level)
{
    while (level->taken < level->candidates.count && level->candidates.items[level->taken].asleep)
        level->taken++;
    level->outcome = 0;
    return level->taken < level->candidates.count;
}

/* What lies behind the steps taken: a new level; a state without enabled agents; one that is on the path, with
 * nothing left to explore; nothing new. */
typedef enum Below { BELOW_LEVEL, BELOW_END, BELOW_RETURN, BELOW_SEEN, BELOW_DIVERGED } Below;

static Below end_here(Exact *exact, uint64_t state)
{
    bool added;
    map_insert(&exact->visited, map_mix(state, 1) >> 1, &added);
    return added ? BELOW_END : BELOW_SEEN;
}

static uint64_t hash_finding(const Finding *finding)
{
    uint64_t hash = finding->kind;
    for (uint32_t i = 0; i < finding->site_count; i++)
        hash = map_mix(hash, finding->sites[i]);
    for (uint32_t i = 0; i < finding->agent_count; i++)
        hash = map_mix(hash, finding->agents[i]);
    return hash >> 1;
}

/* Keeps the way to what the partial run has found first. */
static void keep_leads(Exact *exact)
{
    const Execution *ex = exact->probe.ex;
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        uint64_t finding = hash_finding(&ex->findings[i]);
        bool added;
        uint64_t *fate = map_insert(&exact->findings, finding, &added);
        if (!added)
            continue;
        *fate = FINDING_OPEN;
        VEC_PUSH(&exact->leads, ((Lead){finding, schedule_take(NULL, ex, ex->event_count)}));
    }
}

/* Plans an execution to a finding that none has shown; false if there is no such finding. */
static bool plan_lead(Exact *exact, Execution *ex)
{
    bool open = false;
    while (exact->leads.count > 0 && !open) {
        Lead lead = exact->leads.items[--exact->leads.count];
        open = *map_find(&exact->findings, lead.finding) == FINDING_OPEN;
        if (open)
            schedule_plan(lead.schedule, ex);
        schedule_destroy(NULL, lead.schedule);
    }
    return open;
}

/* Nothing is left to explore here. If the state is on the path, that could be repeated forever: one execution shows
 * it. */
static Below come_back(Exact *exact, uint64_t state)
{
    uint32_t depth = exact->levels.count;
    while (depth > 0 && exact->levels.items[depth - 1].state != state)
        depth--;
    if (depth == 0 || exact->returned)
        return BELOW_SEEN;
    exact->returned = true;
    return BELOW_RETURN;
}

static Below open_level(Exact *exact)
{
    Program *program = exact->probe.program;
    ExactLevel level = {0};
    uint32_t depth = exact->levels.count;
    plan_path(exact, exact->probe.ex, depth);
    Followed followed = follow_plan(exact);
    if (followed != FOLLOWED)
        return followed == LEFT_OUT ? BELOW_SEEN : BELOW_DIVERGED;
    uint64_t state = program->ops->state(program);
    keep_leads(exact);
    for (AgentId agent = 0; agent < exact->probe.ex->agent_count; agent++)
        if (program->ops->enabled(program, agent))
            VEC_PUSH(&level.candidates, ((Candidate){.agent = agent}));
    if (level.candidates.count == 0)
        return end_here(exact, state);
    for (uint32_t i = 0; i < level.candidates.count && depth > 0; i++)
        inherit_sleep(exact, depth, &level.candidates.items[i]);
    visit_state(exact, state, &level);
    if (!choose_awake(&level)) {
        release_level(&level);
        return come_back(exact, state);
    }
    level.state = state;
    VEC_PUSH(&exact->levels, level);
    return BELOW_LEVEL;
}

/* The candidate of the newest level has been explored: moves to the next outcome or candidate. */
static void step_aside(Exact *exact)
{
    ExactLevel *level = &exact->levels.items[exact->levels.count - 1];
    Candidate *candidate = &level->candidates.items[level->taken];
    if (++level->outcome < candidate->outcomes.count)
        return;
    candidate->asleep = true;
    choose_awake(level);
}

/* Walks the tree until there is an execution to run. What the program finds no inputs for is left out, as if it had
 * been explored. */
static Below walk(Exact *exact)
{
    while (exact->levels.count > 0) {
        ExactLevel *level = &exact->levels.items[exact->levels.count - 1];
        if (level->taken == level->candidates.count) {
            release_level(level);
            if (--exact->levels.count > 0)
                step_aside(exact);
            continue;
        }
        learn_outcomes(exact, exact->levels.count - 1, &level->candidates.items[level->taken]);
        if (exact->probe.diverged)
            return BELOW_DIVERGED;
        bool left_out = level->candidates.items[level->taken].outcomes.count == 0;
        Below below = left_out ? BELOW_SEEN : open_level(exact);
        if (below == BELOW_SEEN)
            step_aside(exact);
        else if (below != BELOW_LEVEL)
            return below;
    }
    return BELOW_SEEN;
}

/* Picks nothing: the execution ends behind its plan. */
static AgentId pick_nothing(Picker *picker, Execution *ex, AgentId current)
{
    (void)picker;
    (void)ex;
    (void)current;
    return AGENT_NONE;
}

static Next exact_next(Search *search)
{
    static Picker end_there = {.pick = pick_nothing};
    Exact *exact = search->local;
    Below below;
    do {
        if (exact->levels.count > 0)
            step_aside(exact);
        else if (!exact->started)
            open_level(exact);
        exact->started = true;
        below = walk(exact);
        if (below == BELOW_SEEN && !plan_lead(exact, search->ex))
            return NEXT_NONE;
        if (below != BELOW_SEEN)
            plan_path(exact, search->ex, exact->levels.count);
    } while (below != BELOW_DIVERGED && !program_solves(search->program, search->ex));
    exact->returns = below == BELOW_RETURN || below == BELOW_SEEN;
    search->ex->picker = exact->returns ? &end_there : NULL;
    return NEXT_PLANNED;
}

static void exact_ended(Search *search)
{
    const Exact *exact = search->local;
    if (!exact->returns || search->ex->end != END_ABANDONED)
        return;
    execution_cut(search->ex, CUT_RETURNS);
    search->ex->end = END_CUT;
}

/* If a partial run diverged, the execution planned for it counts as diverged. */
static void exact_learn(Search *search)
{
    Exact *exact = search->local;
    uint32_t taken = search->ex->event_count, planned = search->ex->plan_length;
    bool followed = taken == planned || (taken < planned && execution_broke_off(search->ex));
    for (uint32_t i = 0; i < search->ex->finding_count; i++)
        *map_insert(&exact->findings, hash_finding(&search->ex->findings[i]), NULL) = FINDING_SHOWN;
    if (!followed || exact->probe.diverged)
        search->ex->end = END_DIVERGED;
}

const StrategyOps strategy_exact = {
    .create = exact_create,
    .destroy = exact_destroy,
    .attach = exact_attach,
    .detach = exact_detach,
    .next = exact_next,
    .ended = exact_ended,
    .learn = exact_learn,
};
