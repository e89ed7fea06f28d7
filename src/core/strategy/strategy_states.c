/* strategy_states.c - every step of every state, each state once
 *
 * For programs that know their states (ProgramOps.fingerprint): in each state that is met for the first time all
 * enabled agents are to be tried, with all outcomes; a path that comes to a known state ends there. An execution
 * follows the path to a state, takes what is left to try there, and continues through new states as far as there are
 * any. The oldest work comes first, so paths stay short. Nothing is reduced: every edge between states is walked once,
 * which is what finding cycles needs. Agents of the same alias take the same steps; one of them is tried.
 * Where a single agent is enabled because its steps commute with all others (ProgramOps.local), no state is made.
 */
#include <errno.h>

#include "base/vec.h"
#include "core/strategy.h"
#include "core/strategy/state_graph.h"

typedef struct StatesState {
    Region *region;
    StateGraph *graph;
    uint32_t node, first;  /* where the execution is: the last state, and the events before it     */
    bool started;
} StatesState;

typedef struct States {
    Picker picker;
    Search *search;
    StatesState *state;
    VEC(uint64_t) aliases; /* of the agents tried in the state at hand                             */
} States;

static AgentId pick(Picker *picker, Execution *ex, AgentId current);
static uint32_t choose(Picker *picker, Execution *ex, uint32_t options);

static void *states_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    StatesState *state = region_alloc(region, sizeof *state);
    *state = (StatesState){.region = region, .graph = state_graph_create(region)};
    return state;
}

static void states_destroy(void *memory)
{
    StatesState *state = memory;
    state_graph_destroy(state->graph);
    region_free(state->region, state, sizeof *state);
}

static void states_attach(Search *search)
{
    States *self = mem_alloc(sizeof *self);
    *self = (States){.picker = {.pick = pick, .choose = choose}, .search = search, .state = search->state};
    search->local = self;
}

static void states_detach(Search *search)
{
    States *self = search->local;
    VEC_FREE(&self->aliases);
    free(self);
    search->local = NULL;
}

/* ---- While an execution runs ------------------------------------------------------- */

/* The execution is in this state. True if it is new. */
static bool arrive(StatesState *state, Fingerprint print, const Execution *ex)
{
    bool added;
    uint32_t node = state_graph_node(state->graph, print, &added);
    state_graph_connect(state->graph, state->node, node, added, ex, state->first);
    state->node = node;
    state->first = ex->event_count;
    return added;
}

static bool is_tried(States *self, uint64_t alias)
{
    for (uint32_t i = 0; i < self->aliases.count; i++)
        if (self->aliases.items[i] == alias)
            return true;
    VEC_PUSH(&self->aliases, alias);
    return false;
}

/* The first enabled agent; the others are to be tried later. */
static AgentId try_all(States *self, const Execution *ex)
{
    Program *program = self->search->program;
    AgentId chosen = AGENT_NONE;
    self->aliases.count = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (!program->ops->enabled(program, agent) || is_tried(self, program->ops->alias(program, agent)))
            continue;
        if (chosen == AGENT_NONE)
            chosen = agent;
        else
            state_graph_try_agent(self->state->graph, self->state->node, ex, self->state->first, agent);
    }
    return chosen;
}

static AgentId pick_next(States *self, const Execution *ex)
{
    Program *program = self->search->program;
    Fingerprint print;
    AgentId local = program->ops->local ? program->ops->local(program) : AGENT_NONE;
    if (local != AGENT_NONE)
        return local;
    program->ops->fingerprint(program, &print);
    return arrive(self->state, print, ex) ? try_all(self, ex) : AGENT_NONE;
}

static AgentId pick(Picker *picker, Execution *ex, AgentId current)
{
    int error = errno; /* of the program */
    (void)current;
    AgentId agent = pick_next((States *)picker, ex);
    errno = error;
    return agent;
}

static uint32_t choose(Picker *picker, Execution *ex, uint32_t options)
{
    const StatesState *state = ((States *)picker)->state;
    for (uint32_t taken = 1; taken < options; taken++)
        state_graph_try_choice(state->graph, state->node, ex, state->first, taken);
    return 0;
}

/* ---- Between executions --------------------------------------------------------------- */

static Next states_next(Search *search)
{
    States *self = search->local;
    StatesState *state = self->state;
    search->ex->picker = &self->picker;
    search->ex->plan_length = 0;
    if (!state->started) {
        state->started = true;
        state->node = STATE_NONE;
        state->first = 0;
        return NEXT_PLANNED;
    }
    return state_graph_plan(state->graph, search->ex, &state->node, &state->first) ? NEXT_PLANNED : NEXT_NONE;
}

/* What the program ends in is a state, too. */
static void states_ended(Search *search)
{
    States *self = search->local;
    Fingerprint print;
    if (search->ex->end == END_COMPLETE) {
        search->program->ops->fingerprint(search->program, &print);
        arrive(self->state, print, search->ex);
    }
    search->stats->states = state_graph_count(self->state->graph);
}

static void states_learn(Search *search) { (void)search; }

const StrategyOps strategy_states = {
    .create = states_create,
    .destroy = states_destroy,
    .attach = states_attach,
    .detach = states_detach,
    .next = states_next,
    .ended = states_ended,
    .learn = states_learn,
};
