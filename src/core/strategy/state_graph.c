/* state_graph.c - see state_graph.h
 *
 * Arrays that are reserved once at full size, of which only what is used takes memory. The table of states doubles;
 * each size has a place of its own.
 */
#include "core/strategy/state_graph.h"

#include <sys/mman.h>

#include "base/mem.h"

enum { FIRST_TABLE = 12, LAST_TABLE = 28, MOST_NODES = 1 << 27, MOST_EDGES = 1 << 28, MOST_STEPS = 1 << 29 };

struct StateGraph {
    Region *region;
    StateNode *nodes;
    StateEdge *edges, *work;
    StateStep *steps;
    uint32_t *choices;
    uint64_t *aliases;
    uint32_t *table;        /* numbers of nodes + 1; of 2^n slots behind those of smaller sizes */
    uint32_t table_bits;
    uint32_t node_count, edge_count, work_count, work_done, step_count, choice_count, alias_count;
};

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(size);
    return block;
}

StateGraph *state_graph_create(Region *region)
{
    StateGraph *graph = region_alloc(region, sizeof *graph);
    *graph = (StateGraph){.region = region,
                          .nodes = reserve(MOST_NODES * sizeof *graph->nodes),
                          .edges = reserve(MOST_EDGES * sizeof *graph->edges),
                          .work = reserve(MOST_EDGES * sizeof *graph->work),
                          .steps = reserve(MOST_STEPS * sizeof *graph->steps),
                          .choices = reserve(MOST_STEPS * sizeof *graph->choices),
                          .aliases = reserve(MOST_STEPS * sizeof *graph->aliases),
                          .table = reserve((2ull << LAST_TABLE) * sizeof *graph->table),
                          .table_bits = FIRST_TABLE};
    return graph;
}

void state_graph_destroy(StateGraph *graph)
{
    munmap(graph->nodes, MOST_NODES * sizeof *graph->nodes);
    munmap(graph->edges, MOST_EDGES * sizeof *graph->edges);
    munmap(graph->work, MOST_EDGES * sizeof *graph->work);
    munmap(graph->steps, MOST_STEPS * sizeof *graph->steps);
    munmap(graph->choices, MOST_STEPS * sizeof *graph->choices);
    munmap(graph->aliases, MOST_STEPS * sizeof *graph->aliases);
    munmap(graph->table, (2ull << LAST_TABLE) * sizeof *graph->table);
    region_free(graph->region, graph, sizeof *graph);
}

uint32_t state_graph_count(const StateGraph *graph) { return graph->node_count; }
const StateNode *state_graph_get(const StateGraph *graph, uint32_t node) { return &graph->nodes[node]; }

/* ---- States ------------------------------------------------------------------- */

static uint32_t *table_of(const StateGraph *graph, uint32_t bits) { return graph->table + (1u << bits); }

/* The slot of the fingerprint: empty, or with its node. */
static uint32_t *find_slot(const StateGraph *graph, Fingerprint print)
{
    uint32_t mask = (1u << graph->table_bits) - 1, at = (uint32_t)print.low & mask;
    uint32_t *table = table_of(graph, graph->table_bits);
    while (table[at] && !fingerprint_equal(graph->nodes[table[at] - 1].print, print))
        at = (at + 1) & mask;
    return &table[at];
}

static void grow_table(StateGraph *graph)
{
    uint32_t old = graph->table_bits++;
    for (uint32_t i = 0; i < graph->node_count; i++)
        *find_slot(graph, graph->nodes[i].print) = i + 1;
    if (old >= FIRST_TABLE + 4)
        madvise(table_of(graph, old), sizeof(uint32_t) << old, MADV_REMOVE);
}

uint32_t state_graph_node(StateGraph *graph, Fingerprint print, bool *added)
{
    uint32_t *slot = find_slot(graph, print);
    *added = !*slot;
    if (*slot)
        return *slot - 1;
    if (graph->node_count == MOST_NODES)
        mem_exhausted(sizeof *graph->nodes);
    graph->nodes[graph->node_count] =
        (StateNode){.print = print, .edge = STATE_NONE, .first_alias = graph->alias_count};
    *slot = ++graph->node_count;
    if (graph->node_count > (1u << graph->table_bits) / 2 && graph->table_bits < LAST_TABLE)
        grow_table(graph);
    return graph->node_count - 1;
}

void state_graph_add_alias(StateGraph *graph, uint32_t node, uint64_t alias)
{
    if (graph->alias_count == MOST_STEPS)
        mem_exhausted(sizeof *graph->aliases);
    graph->aliases[graph->alias_count++] = alias;
    graph->nodes[node].aliases++;
}

void state_graph_set_open(StateGraph *graph, uint32_t node, uint64_t open) { graph->nodes[node].open = open; }
uint64_t state_graph_alias(const StateGraph *graph, uint32_t number) { return graph->aliases[number]; }

/* ---- Edges ----------------------------------------------------------------------- */

/* The length of the path to a node. */
static uint32_t path_length(const StateGraph *graph, uint32_t node)
{
    return node == STATE_NONE ? 0 : graph->nodes[node].steps;
}

static StateStep *add_step(StateGraph *graph, AgentId agent)
{
    if (graph->step_count == MOST_STEPS)
        mem_exhausted(sizeof *graph->steps);
    StateStep *step = &graph->steps[graph->step_count++];
    *step = (StateStep){.agent = agent, .first_choice = graph->choice_count};
    return step;
}

static void add_choice(StateGraph *graph, StateStep *step, uint32_t taken)
{
    if (graph->choice_count == MOST_STEPS)
        mem_exhausted(sizeof *graph->choices);
    graph->choices[graph->choice_count++] = taken;
    step->choices++;
}

/* Copies the events from `first` on. */
static StateEdge copy_steps(StateGraph *graph, const Execution *ex, uint32_t first)
{
    StateEdge edge = {.to = STATE_NONE, .first_step = graph->step_count, .steps = ex->event_count - first};
    for (uint32_t i = first; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        StateStep *step = add_step(graph, event->agent);
        for (uint32_t k = 0; k < event->choice_count; k++)
            add_choice(graph, step, ex->choices[event->first_choice + k].taken);
    }
    return edge;
}

uint32_t state_graph_edge_count(const StateGraph *graph) { return graph->edge_count; }
const StateEdge *state_graph_edge(const StateGraph *graph, uint32_t number) { return &graph->edges[number]; }

uint32_t state_graph_choice(const StateGraph *graph, const StateEdge *edge, uint32_t nth)
{
    for (uint32_t i = 0; i < edge->steps; i++) {
        const StateStep *step = &graph->steps[edge->first_step + i];
        if (nth < step->choices)
            return graph->choices[step->first_choice + nth];
        nth -= step->choices;
    }
    return 0;
}

void state_graph_connect(StateGraph *graph, StateEdge way, bool added, const Execution *ex, uint32_t first)
{
    uint32_t to = way.to;
    if (graph->edge_count == MOST_EDGES)
        mem_exhausted(sizeof *graph->edges);
    StateEdge edge = copy_steps(graph, ex, first);
    edge.from = way.from;
    edge.to = to;
    edge.alias = way.alias;
    edge.idle = way.idle;
    graph->edges[graph->edge_count] = edge;
    if (added) {
        graph->nodes[to].edge = graph->edge_count;
        graph->nodes[to].steps = path_length(graph, way.from) + edge.steps;
    }
    graph->edge_count++;
}

/* ---- Work -------------------------------------------------------------------------- */

static void add_work(StateGraph *graph, StateEdge way, StateEdge edge)
{
    if (graph->work_count == MOST_EDGES)
        mem_exhausted(sizeof *graph->work);
    edge.from = way.from;
    edge.alias = way.alias;
    graph->work[graph->work_count++] = edge;
}

void state_graph_try_agent(StateGraph *graph, StateEdge way, const Execution *ex, uint32_t first, AgentId agent)
{
    StateEdge edge = copy_steps(graph, ex, first);
    add_step(graph, agent);
    edge.steps++;
    add_work(graph, way, edge);
}

void state_graph_try_choice(StateGraph *graph, StateEdge way, const Execution *ex, uint32_t first, uint32_t taken)
{
    StateEdge edge = copy_steps(graph, ex, first);
    add_choice(graph, &graph->steps[graph->step_count - 1], taken);
    add_work(graph, way, edge);
}

/* The steps of the edge are `at` and the following ones of the plan. Choices stand in the order of steps later. */
static void plan_edge(const StateGraph *graph, const StateEdge *edge, Execution *ex, uint32_t at)
{
    for (uint32_t i = 0; i < edge->steps; i++) {
        const StateStep *step = &graph->steps[edge->first_step + i];
        ex->plan[at + i] = (PlanStep){.agent = step->agent, .choice_count = (uint16_t)step->choices,
                                      .first_choice = step->first_choice};
    }
}

static void plan_choices(const StateGraph *graph, Execution *ex)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ex->plan_length; i++) {
        PlanStep *step = &ex->plan[i];
        for (uint32_t k = 0; k < step->choice_count; k++)
            ex->plan_choices[count + k] = (Literal){.taken = graph->choices[step->first_choice + k]};
        step->first_choice = count;
        count += step->choice_count;
    }
}

static void plan_path(const StateGraph *graph, uint32_t node, Execution *ex)
{
    while (node != STATE_NONE) {
        const StateEdge *edge = &graph->edges[graph->nodes[node].edge];
        plan_edge(graph, edge, ex, path_length(graph, edge->from));
        node = edge->from;
    }
}

void state_graph_plan_node(StateGraph *graph, uint32_t node, Execution *ex)
{
    plan_path(graph, node, ex);
    ex->plan_length = path_length(graph, node);
    plan_choices(graph, ex);
}

bool state_graph_plan(StateGraph *graph, Execution *ex, StateEdge *way, uint32_t *first)
{
    if (graph->work_done == graph->work_count)
        return false;
    *way = graph->work[graph->work_done++];
    *first = path_length(graph, way->from);
    plan_path(graph, way->from, ex);
    plan_edge(graph, way, ex, *first);
    ex->plan_length = *first + way->steps;
    plan_choices(graph, ex);
    return true;
}
