/* strategy_random.c - sampling: random walk, random priorities (PCT), partial order sampling, turns
 *
 * Execution k of a search uses the seed (seed, k), so a search continues in the same way in a new process. PCT
 * (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): each agent has a random
 * priority, the enabled one with the highest runs; at d-1 random points the running agent gets the lowest priority.
 *
 * Partial order sampling (Yuan, Yang, Gu, "Partial order aware concurrency sampling"): each step has a random priority
 * of its own; the enabled agent whose next step has the highest runs, and the next steps that may conflict with it draw
 * again. So steps that commute do not make a partial order less likely than others.
 *
 * Turns: agents run one after the other, each for a fixed number of steps per turn; one agent may be left out until no
 * other is enabled. Such regular schedules, as of loops that proceed in lockstep, are very unlikely in a random walk.
 *
 * Inputs are sampled too: most executions follow the one before up to some branch on an input, whose other outcome
 * they take; behind it agents are picked as ever. Now and then one begins from nothing, so that no part of the tree is
 * out of reach.
 *
 * Under weak memory a step reads the last write every other time, else one of the older ones that are consistent, each
 * with the same probability; a write is placed likewise. An agent that waits for a value may also find it in an older
 * write.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/graph/choices.h"
#include "core/strategy.h"

enum { MAX_CHANGES = 64, FRESH_ONE_IN = 16, TRIES = 4 };

typedef struct RandomState {
    Region *region;
    uint64_t executions;
    uint32_t longest;       /* most picks in an execution so far: the range of the priority changes */
    uint32_t agents;        /* most in an execution so far                              */
} RandomState;

typedef struct Random {
    Picker picker;
    Search *search;
    RandomState *state;
    Rng rng;
    Rng start;                        /* as it was behind the plan          */
    uint64_t *priorities;             /* per agent, or of its next step; 0: not drawn yet */
    uint32_t seen;                    /* events whose conflicts have drawn again */
    uint32_t changes[MAX_CHANGES];    /* positions at which priority drops  */
    uint32_t change_count;
    uint32_t picks;                   /* so far in this execution           */
    uint64_t lowest;                  /* the next dropped priority, counting down */
    uint64_t execution;               /* its number                         */
    uint32_t left;                    /* steps left of the agent's turn     */
    AgentId idle;                     /* runs if no other agent is enabled  */
    WeakChoices weak;
    VEC(uint32_t) writes;             /* in a random order                  */
} Random;

/* ---- Lifecycle -------------------------------------------------------- */

static void *random_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    RandomState *state = region_alloc(region, sizeof *state);
    *state = (RandomState){.region = region, .longest = 64, .agents = 1};
    return state;
}

static void random_destroy(void *memory)
{
    RandomState *state = memory;
    region_free(state->region, state, sizeof *state);
}

/* Of the writes before the last, in a random order, the first that is possible; 0 if none is. */
static uint32_t choose_older(Random *random, const Execution *ex, uint32_t options)
{
    random->writes.count = 0;
    for (uint32_t k = 1; k < options; k++)
        VEC_PUSH(&random->writes, k);
    for (uint32_t left = options - 1; left > 0; left--) {
        uint32_t *drawn = &random->writes.items[rng_below(&random->rng, left)], k = *drawn;
        if (weakchoices_allow(&random->weak, ex, k))
            return k;
        *drawn = random->writes.items[left - 1];
    }
    return 0;
}

static uint32_t choose_any(Picker *picker, Execution *ex, uint32_t options)
{
    Random *random = (Random *)picker;
    if (options == 1 || !weakchoices_apply(ex))
        return options == 1 ? 0 : rng_below(&random->rng, options);
    bool last = rng_below(&random->rng, 2) == 0 && weakchoices_allow(&random->weak, ex, 0);
    return last ? 0 : choose_older(random, ex, options);
}

static bool may_run(Random *random, const Execution *ex, AgentId agent)
{
    Program *program = random->search->program;
    return program->ops->enabled(program, agent) || weakchoices_end_wait(&random->weak, ex, agent);
}

/* Is no agent enabled? Those that wait may still read older writes. */
static bool all_wait(const Random *random, const Execution *ex)
{
    Program *program = random->search->program;
    if (ex->memory == MEMORY_SC)
        return false;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent))
            return false;
    return true;
}

static void forget_agents(Random *random)
{
    memset(random->priorities, 0, random->state->agents * sizeof *random->priorities);
    random->lowest = MAX_CHANGES;
    random->picks = 0;
    random->seen = 0;
    random->left = 0;
    weakchoices_begin(&random->weak);
}

/* The plan is made. */
static Next ready(Random *random)
{
    random->start = random->rng;
    forget_agents(random);
    return NEXT_PLANNED;
}

/* The execution begins again with other inputs: the same random decisions lead to where the others did not do. */
static void restarted(Picker *picker)
{
    Random *random = (Random *)picker;
    random->rng = random->start;
    forget_agents(random);
}

static void attach(Search *search, AgentId (*pick)(Picker *, Execution *, AgentId))
{
    Random *random = mem_alloc(sizeof *random);
    random->picker = (Picker){.pick = pick, .choose = choose_any, .restarted = restarted, .samples = true};
    random->search = search;
    random->state = search->state;
    random->priorities = mem_alloc(EXECUTION_MAX_AGENTS * sizeof *random->priorities);
    weakchoices_init(&random->weak, search->options->memory);
    search->local = random;
}

static void random_detach(Search *search)
{
    Random *random = search->local;
    weakchoices_release(&random->weak);
    VEC_FREE(&random->writes);
    free(random->priorities);
    free(random);
}

/* ---- Inputs -------------------------------------------------------------- */

typedef VEC(uint32_t) BranchList;

/* The choices of the last execution that its inputs made. */
static void list_branches(const Execution *ex, BranchList *branches)
{
    for (uint32_t i = 0; i < ex->choice_count; i++)
        if (ex->choices[i].condition)
            VEC_PUSH(branches, i);
}

static uint32_t event_of_choice(const Execution *ex, uint32_t choice)
{
    uint32_t event = 0;
    while (ex->events[event].first_choice + ex->events[event].choice_count <= choice)
        event++;
    return event;
}

/* Plans the last execution up to the choice, which takes its other outcome. */
static void plan_other_outcome(Execution *ex, uint32_t choice)
{
    ex->plan_length = event_of_choice(ex, choice) + 1;
    for (uint32_t i = 0; i < ex->plan_length; i++) {
        const Event *event = &ex->events[i];
        bool last = i == ex->plan_length - 1;
        uint32_t count = last ? choice + 1 - event->first_choice : event->choice_count;
        ex->plan[i] =
            (PlanStep){.agent = event->agent, .choice_count = (uint16_t)count, .first_choice = event->first_choice};
    }
    for (uint32_t i = 0; i <= choice; i++)
        ex->plan_choices[i] =
            (Literal){ex->choices[i].condition, i == choice ? !ex->choices[i].taken : ex->choices[i].taken};
}

static bool is_feasible(Program *program, const Execution *ex, uint32_t choice)
{
    VEC(Literal) literals = {0};
    for (uint32_t i = 0; i <= choice; i++)
        if (ex->plan_choices[i].condition)
            VEC_PUSH(&literals, ex->plan_choices[i]);
    bool answer = !program->ops->feasible ||
                  program->ops->feasible(program, literals.items, literals.count, NULL, NULL, 0);
    VEC_FREE(&literals);
    return answer;
}

/* The newest branch every other time: it is often the assumption that ended an execution early. */
static uint32_t choose_branch(Random *random, const BranchList *branches)
{
    uint32_t newest = branches->count - 1;
    return branches->items[rng_below(&random->rng, 2) ? newest : rng_below(&random->rng, branches->count)];
}

/* Leaves the plan empty if there are no inputs, none that lead elsewhere are found, or a fresh execution is due. */
static void plan_inputs(Random *random)
{
    Search *search = random->search;
    Execution *ex = search->ex;
    BranchList branches = {0};
    bool planned = false;
    if (search->program->ops->solve && rng_below(&random->rng, FRESH_ONE_IN) != 0)
        list_branches(ex, &branches);
    for (uint32_t i = 0; i < TRIES && branches.count > 0 && !planned; i++) {
        uint32_t choice = choose_branch(random, &branches);
        plan_other_outcome(ex, choice);
        planned = is_feasible(search->program, ex, choice) && program_solves(search->program, ex);
    }
    if (!planned)
        ex->plan_length = 0;
    VEC_FREE(&branches);
}

/* ---- Executions ------------------------------------------------------------ */

static void begin(Random *random)
{
    Search *search = random->search;
    random->execution = random->state->executions++;
    random->rng.state = search->options->seed * 0x9e3779b97f4a7c15ull + random->execution;
    rng_next(&random->rng);
    search->ex->picker = &random->picker;
    plan_inputs(random);
}

static Next random_next(Search *search)
{
    begin(search->local);
    return ready(search->local);
}

static void random_learn(Search *search)
{
    Random *random = search->local;
    if (random->picks > random->state->longest)
        random->state->longest = random->picks;
    if (search->ex->agent_count > random->state->agents)
        random->state->agents = search->ex->agent_count;
}

/* ---- Random walk ------------------------------------------------------- */

static AgentId pick_any(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    AgentId chosen = AGENT_NONE;
    uint32_t able = all_wait(random, ex); /* to wait to the end is one of the possibilities then */
    (void)current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (may_run(random, ex, agent) && rng_below(&random->rng, ++able) == 0)
            chosen = agent;
    return chosen;
}

static void random_attach(Search *search) { attach(search, pick_any); }

/* ---- Random priorities -------------------------------------------------- */

static bool is_change_point(const Random *random, uint32_t position)
{
    for (uint32_t i = 0; i < random->change_count; i++)
        if (random->changes[i] == position)
            return true;
    return false;
}

static uint64_t priority_of(Random *random, AgentId agent)
{
    if (random->priorities[agent] == 0)
        random->priorities[agent] = MAX_CHANGES + 1 + (rng_next(&random->rng) >> 8);
    return random->priorities[agent];
}

static AgentId highest(Random *random, const Execution *ex)
{
    AgentId best = AGENT_NONE;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (may_run(random, ex, agent) &&
            (best == AGENT_NONE || priority_of(random, agent) > priority_of(random, best)))
            best = agent;
    return best;
}

static AgentId pick_highest(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    if (all_wait(random, ex) && rng_below(&random->rng, 2) == 0)
        return AGENT_NONE;
    if (current != AGENT_NONE && is_change_point(random, random->picks++) && random->lowest > 1)
        random->priorities[current] = --random->lowest;
    return highest(random, ex);
}

static void pct_attach(Search *search) { attach(search, pick_highest); }

static Next pct_next(Search *search)
{
    Random *random = search->local;
    begin(random);
    uint32_t depth = search->options->pct_depth ? search->options->pct_depth : 1;
    random->change_count = depth - 1 < MAX_CHANGES ? depth - 1 : MAX_CHANGES;
    for (uint32_t i = 0; i < random->change_count; i++)
        random->changes[i] = rng_below(&random->rng, random->state->longest);
    return ready(random);
}

/* ---- Partial order sampling --------------------------------------------------- */

/* The next steps of the agent of an executed step, and of those that may conflict with it, get new priorities. */
static void draw_again(Random *random, const Execution *ex, const Event *event)
{
    Program *program = random->search->program;
    random->priorities[event->agent] = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (random->priorities[agent] &&
            (!program->ops->may_conflict || program->ops->may_conflict(program, agent, ex, event)))
            random->priorities[agent] = 0;
}

static AgentId pick_step(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    (void)current;
    for (; random->seen < ex->event_count; random->seen++)
        draw_again(random, ex, &ex->events[random->seen]);
    if (all_wait(random, ex) && rng_below(&random->rng, 2) == 0)
        return AGENT_NONE;
    return highest(random, ex);
}

static void pos_attach(Search *search) { attach(search, pick_step); }

/* ---- Turns ----------------------------------------------------------------- */

enum { LONGEST_TURN = 8 };

/* In the first executions, with and without the first agent, all turns have the same length. */
static bool is_regular(const Random *random) { return random->execution < 2 * LONGEST_TURN; }

static uint32_t turn_of(Random *random, AgentId agent)
{
    if (is_regular(random))
        return (uint32_t)random->execution / 2 + 1;
    if (random->priorities[agent] == 0)
        random->priorities[agent] = 1 + rng_below(&random->rng, LONGEST_TURN);
    return (uint32_t)random->priorities[agent];
}

static AgentId pick_in_turn(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    AgentId first = current == AGENT_NONE ? 0 : current + 1;
    if (all_wait(random, ex) && rng_below(&random->rng, 2) == 0)
        return AGENT_NONE;
    if (current != AGENT_NONE && random->left && may_run(random, ex, current)) {
        random->left--;
        return current;
    }
    random->left = 0;
    for (uint32_t i = 0; i < ex->agent_count; i++) {
        AgentId agent = (first + i) % ex->agent_count;
        if (agent == random->idle || !may_run(random, ex, agent))
            continue;
        random->left = turn_of(random, agent) - 1;
        return agent;
    }
    return random->idle < ex->agent_count && may_run(random, ex, random->idle) ? random->idle : AGENT_NONE;
}

static void turns_attach(Search *search) { attach(search, pick_in_turn); }

static Next turns_next(Search *search)
{
    Random *random = search->local;
    begin(random);
    bool odd = random->execution % 2;
    random->idle = !odd ? AGENT_NONE : is_regular(random) ? 0 : rng_below(&random->rng, random->state->agents);
    return ready(random);
}

const StrategyOps strategy_turns = {
    .create = random_create,
    .destroy = random_destroy,
    .attach = turns_attach,
    .detach = random_detach,
    .next = turns_next,
    .learn = random_learn,
};

const StrategyOps strategy_random = {
    .create = random_create,
    .destroy = random_destroy,
    .attach = random_attach,
    .detach = random_detach,
    .next = random_next,
    .learn = random_learn,
};

const StrategyOps strategy_pos = {
    .create = random_create,
    .destroy = random_destroy,
    .attach = pos_attach,
    .detach = random_detach,
    .next = random_next,
    .learn = random_learn,
};

const StrategyOps strategy_pct = {
    .create = random_create,
    .destroy = random_destroy,
    .attach = pct_attach,
    .detach = random_detach,
    .next = pct_next,
    .learn = random_learn,
};
