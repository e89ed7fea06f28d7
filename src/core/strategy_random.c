/* strategy_random.c - sampling: random walk, and random priorities (PCT)
 *
 * Execution k of a search uses the seed (seed, k), so a search goes on in the same way
 * in a new process. PCT (Burckhardt et al., "A randomized scheduler with probabilistic
 * guarantees of finding bugs"): each agent has a random priority, the highest enabled
 * one runs; at d-1 random points the running agent falls to the lowest priority.
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
    uint32_t longest;       /* execution so far: where priority changes are spread over */
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
} Random;

/* ---- Lifecycle -------------------------------------------------------- */

static void *random_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    RandomState *state = region_alloc(region, sizeof *state);
    *state = (RandomState){.region = region, .longest = 64};
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
    random->rng.state = search->options->seed * 0x9e3779b97f4a7c15ull + random->state->executions++;
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
    memset(random->priorities, 0, EXECUTION_MAX_AGENTS * sizeof *random->priorities);
    uint32_t depth = search->options->pct_depth ? search->options->pct_depth : 1;
    random->change_count = depth - 1 < MAX_CHANGES ? depth - 1 : MAX_CHANGES;
    random->lowest = MAX_CHANGES;
    for (uint32_t i = 0; i < random->change_count; i++)
        random->changes[i] = rng_below(&random->rng, random->state->longest);
    return NEXT_PLANNED;
}

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
