/* strategy_random.c - sampling: random walk, random priorities (PCT), turns
 *
 * Execution k of a search uses the seed (seed, k), so a search continues in the same way in a new process. PCT
 * (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): each agent has a random
 * priority, the enabled one with the highest runs; at d-1 random points the running agent gets the lowest priority.
 *
 * Turns: agents run one after the other, each for a fixed number of steps per turn; one agent may be left out until no
 * other is enabled. Such regular schedules, as of loops that proceed in lockstep, are very unlikely in a random walk.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "core/strategy.h"

enum { MAX_CHANGES = 64 };

typedef struct RandomState {
    Region *region;
    uint64_t executions;
    uint32_t longest;       /* execution so far: the range of the priority changes      */
    uint32_t agents;        /* most in an execution so far                              */
} RandomState;

typedef struct Random {
    Picker picker;
    Search *search;
    RandomState *state;
    Rng rng;
    uint64_t *priorities;             /* per agent; 0: not drawn yet        */
    uint32_t changes[MAX_CHANGES];    /* positions at which priority drops  */
    uint32_t change_count;
    uint64_t lowest;                  /* the next dropped priority, counting down */
    uint64_t execution;               /* its number                         */
    uint32_t left;                    /* steps left of the agent's turn     */
    AgentId idle;                     /* runs if no other agent is enabled  */
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

static uint32_t choose_any(Picker *picker, Execution *ex, uint32_t options)
{
    (void)ex;
    return rng_below(&((Random *)picker)->rng, options);
}

static void attach(Search *search, AgentId (*pick)(Picker *, Execution *, AgentId))
{
    Random *random = mem_alloc(sizeof *random);
    random->picker = (Picker){.pick = pick, .choose = choose_any};
    random->search = search;
    random->state = search->state;
    random->priorities = mem_alloc(EXECUTION_MAX_AGENTS * sizeof *random->priorities);
    search->local = random;
}

static void random_detach(Search *search)
{
    Random *random = search->local;
    free(random->priorities);
    free(random);
}

static Next random_next(Search *search)
{
    Random *random = search->local;
    random->execution = random->state->executions++;
    random->rng.state = search->options->seed * 0x9e3779b97f4a7c15ull + random->execution;
    rng_next(&random->rng);
    search->ex->picker = &random->picker;
    search->ex->plan_length = 0;
    return NEXT_PLANNED;
}

static void random_learn(Search *search)
{
    Random *random = search->local;
    if (search->ex->event_count > random->state->longest)
        random->state->longest = search->ex->event_count;
    if (search->ex->agent_count > random->state->agents)
        random->state->agents = search->ex->agent_count;
}

/* ---- Random walk ------------------------------------------------------- */

static AgentId pick_any(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    Program *program = random->search->program;
    AgentId chosen = AGENT_NONE;
    uint32_t enabled = 0;
    (void)current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent) && rng_below(&random->rng, ++enabled) == 0)
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

static AgentId pick_highest(Picker *picker, Execution *ex, AgentId current)
{
    Random *random = (Random *)picker;
    Program *program = random->search->program;
    AgentId best = AGENT_NONE;
    if (current != AGENT_NONE && is_change_point(random, ex->event_count) && random->lowest > 1)
        random->priorities[current] = --random->lowest;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent) &&
            (best == AGENT_NONE || priority_of(random, agent) > priority_of(random, best)))
            best = agent;
    return best;
}

static void pct_attach(Search *search) { attach(search, pick_highest); }

static Next pct_next(Search *search)
{
    Random *random = search->local;
    random_next(search);
    memset(random->priorities, 0, random->state->agents * sizeof *random->priorities);
    uint32_t depth = search->options->pct_depth ? search->options->pct_depth : 1;
    random->change_count = depth - 1 < MAX_CHANGES ? depth - 1 : MAX_CHANGES;
    random->lowest = MAX_CHANGES;
    for (uint32_t i = 0; i < random->change_count; i++)
        random->changes[i] = rng_below(&random->rng, random->state->longest);
    return NEXT_PLANNED;
}

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
    Program *program = random->search->program;
    AgentId first = current == AGENT_NONE ? 0 : current + 1;
    if (current != AGENT_NONE && random->left && program->ops->enabled(program, current)) {
        random->left--;
        return current;
    }
    random->left = 0;
    for (uint32_t i = 0; i < ex->agent_count; i++) {
        AgentId agent = (first + i) % ex->agent_count;
        if (agent == random->idle || !program->ops->enabled(program, agent))
            continue;
        random->left = turn_of(random, agent) - 1;
        return agent;
    }
    return random->idle < ex->agent_count && program->ops->enabled(program, random->idle) ? random->idle : AGENT_NONE;
}

static void turns_attach(Search *search) { attach(search, pick_in_turn); }

static Next turns_next(Search *search)
{
    Random *random = search->local;
    random_next(search);
    memset(random->priorities, 0, random->state->agents * sizeof *random->priorities);
    random->left = 0;
    bool odd = random->execution % 2;
    random->idle = !odd ? AGENT_NONE : is_regular(random) ? 0 : rng_below(&random->rng, random->state->agents);
    return NEXT_PLANNED;
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

const StrategyOps strategy_pct = {
    .create = random_create,
    .destroy = random_destroy,
    .attach = pct_attach,
    .detach = random_detach,
    .next = pct_next,
    .learn = random_learn,
};
