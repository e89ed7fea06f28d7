/* strategy_states.c - every step of every state, each state once
 *
 * For programs that know their states (ProgramOps.fingerprint): in each state that is met for the first time all
 * enabled agents are to be tried, with all outcomes; a path that comes to a known state ends there. An execution
 * follows the path to a state, takes what is left to try there, and continues through new states as far as there are
 * any. The oldest work comes first, so paths stay short. Nothing is reduced: every edge between states is walked once,
 * which is what finding cycles needs. Agents of the same alias take the same steps; one of them is tried.
 * When all states are known, endless executions are looked for in the graph (state_cycles.h): one in which nothing
 * changes any more, or one that is fair and leaves an obligation open, is followed once round its cycle, where the
 * program notices it itself.
 * Where a single agent is enabled because its steps commute with all others (ProgramOps.local), no state is made.
 */
#include <errno.h>

#include "base/vec.h"
#include "core/strategy.h"
#include "core/strategy/state_cycles.h"
#include "core/strategy/state_graph.h"

typedef struct StatesState {
    Region *region;
    StateGraph *graph;
    StateEdge way;         /* where the execution is: from the last state,                         */
    uint32_t first;        /* with so many events before it, by this agent                         */
    uint64_t asked;        /* obligations for which cycles were looked for                         */
    bool asked_progress;   /* and for those in which nothing changes                               */
    uint64_t open;         /* all that were open in some state                                     */
    bool started;
    bool strong;           /* some step was strongly fair                                          */
} StatesState;

typedef struct States {
    Picker picker;
    Search *search;
    StatesState *state;
    StateCycle cycle;      /* that is followed; none if it has no edges                            */
    uint32_t followed;     /* edges of it                                                          */
    uint32_t chosen;       /* choices in the newest of them                                        */
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
    state_cycle_release(&self->cycle);
    free(self);
    search->local = NULL;
}

/* ---- While an execution runs ------------------------------------------------------- */

/* The execution is in this state. True if it is new. */
static bool arrive(States *self, const Execution *ex)
{
    Program *program = self->search->program;
    StatesState *state = self->state;
    Fingerprint print;
    bool added;
    program->ops->fingerprint(program, &print);
    state->way.to = state_graph_node(state->graph, print, &added);
    state->way.idle = program->ops->idle(program, state->first);
    state_graph_connect(state->graph, state->way, added, ex, state->first);
    if (added) {
        uint64_t open = program->ops->open(program);
        state_graph_set_open(state->graph, state->way.to, open);
        state->open |= open;
    }
    state->way = (StateEdge){.from = state->way.to};
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
    StatesState *state = self->state;
    AgentId chosen = AGENT_NONE;
    uint64_t first = 0;
    self->aliases.count = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (!program->ops->enabled(program, agent))
            continue;
        state->way.alias = program->ops->alias(program, agent);
        if (is_tried(self, state->way.alias))
            continue;
        state->strong |= (state->way.alias & ALIAS_STRONG) != 0;
        state_graph_add_alias(state->graph, state->way.from, state->way.alias);
        if (chosen == AGENT_NONE) {
            chosen = agent;
            first = state->way.alias;
        } else {
            state_graph_try_agent(state->graph, state->way, ex, state->first, agent);
        }
    }
    state->way.alias = first;
    return chosen;
}

/* The agent of the next edge of the cycle. */
static AgentId follow(States *self, const Execution *ex)
{
    Program *program = self->search->program;
    if (self->followed == self->cycle.count)
        return AGENT_NONE;
    const StateEdge *edge = state_graph_edge(self->state->graph, self->cycle.edges[self->followed++]);
    self->chosen = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent) && program->ops->alias(program, agent) == edge->alias)
            return agent;
    return AGENT_NONE;
}

static AgentId pick_next(States *self, const Execution *ex)
{
    Program *program = self->search->program;
    AgentId local = program->ops->local ? program->ops->local(program) : AGENT_NONE;
    if (local != AGENT_NONE)
        return local;
    if (self->cycle.count)
        return follow(self, ex);
    return arrive(self, ex) ? try_all(self, ex) : AGENT_NONE;
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
    States *self = (States *)picker;
    const StatesState *state = self->state;
    if (self->cycle.count) {
        const StateEdge *edge = state_graph_edge(state->graph, self->cycle.edges[self->followed - 1]);
        return state_graph_choice(state->graph, edge, self->chosen++);
    }
    for (uint32_t taken = 1; taken < options; taken++)
        state_graph_try_choice(state->graph, state->way, ex, state->first, taken);
    return 0;
}

/* ---- Between executions --------------------------------------------------------------- */

/* Plans an endless execution that is a bug. False if there is none. */
static bool plan_cycle(States *self, Execution *ex)
{
    StatesState *state = self->state;
    bool found = !state->asked_progress && state_cycle_find(state->graph, CYCLE_IDLE, &self->cycle);
    state->asked_progress = true;
    for (unsigned obligation = 0; obligation < 64 && !found; obligation++) {
        uint64_t bit = 1ull << obligation;
        if (!(state->open & bit & ~state->asked))
            continue;
        state->asked |= bit;
        found = state_cycle_find(state->graph, obligation, &self->cycle);
    }
    if (!found)
        return false;
    self->followed = 0;
    self->picker.passes = false;
    state_graph_plan_node(state->graph, self->cycle.node, ex);
    return true;
}

static Next states_next(Search *search)
{
    States *self = search->local;
    StatesState *state = self->state;
    search->ex->picker = &self->picker;
    search->ex->plan_length = 0;
    self->picker.passes = true;
    state_cycle_release(&self->cycle);
    if (!state->started) {
        state->started = true;
        state->way.from = STATE_NONE;
        state->first = 0;
        return NEXT_PLANNED;
    }
    if (state_graph_plan(state->graph, search->ex, &state->way, &state->first) || plan_cycle(self, search->ex))
        return NEXT_PLANNED;
    search->stats->endless = state_cycles_endless(state->graph);
    search->stats->hoped = (uint64_t)__builtin_popcountll(state->open);
    search->stats->strong = state->strong;
    return NEXT_NONE;
}

/* Has the program noticed that it came back to a state? */
static bool came_back(const Execution *ex)
{
    BugKind kind = ex->finding_count ? (BugKind)ex->findings[ex->finding_count - 1].kind : BUG_KIND_COUNT;
    return ex->end == END_ABANDONED && (kind == BUG_LIVENESS || kind == BUG_LIVELOCK);
}

/* What the program ends in is a state, too. A cycle that the program does not go round is a contradiction. */
static void states_ended(Search *search)
{
    States *self = search->local;
    Execution *ex = search->ex;
    if (!self->cycle.count && (ex->end == END_COMPLETE || came_back(ex)))
        arrive(self, ex);
    if (self->cycle.count && ex->end == END_ABANDONED && !came_back(ex)) {
        ex->end = END_DIVERGED;
        ex->diverged_at = ex->plan_length;
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
