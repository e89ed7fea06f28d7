/* state_cycles.c - see state_cycles.h */
#include "core/strategy/state_cycles.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/program.h"

/* The graph in the form that the search needs; all of this process. */
typedef struct View {
    const StateGraph *graph;
    bool idle;            /* edges that change nothing, instead of an obligation:       */
    uint64_t bit;         /* of the obligation                                          */
    uint32_t nodes, edges;
    uint32_t *first;      /* of each node: where its edges begin in `out`               */
    uint32_t *out;        /* numbers of edges                                           */
    bool *left_out;       /* nodes                                                      */
    uint32_t *part;       /* of each node: its strongly connected part, STATE_NONE: not open */
    uint32_t *members;    /* nodes, one part after the other                            */
    uint32_t *begin;      /* of each part: its first member                             */
    uint32_t *end;        /* and behind its last one                                    */
    uint32_t ordered;     /* members so far                                             */
} View;

static const StateEdge *edge_of(const View *view, uint32_t number) { return state_graph_edge(view->graph, number); }
static bool is_open(const View *view, uint32_t node)
{
    return !view->left_out[node] && (view->idle || state_graph_get(view->graph, node)->open & view->bit);
}

/* Is the edge part of the graph that is looked at? */
static bool counts(const View *view, const StateEdge *edge)
{
    return edge->from != STATE_NONE && (edge->idle || !view->idle);
}

static void open_view(View *view, const StateGraph *graph, unsigned obligation)
{
    *view = (View){.graph = graph, .idle = obligation == CYCLE_IDLE, .nodes = state_graph_count(graph),
                   .bit = obligation == CYCLE_IDLE ? 0 : 1ull << obligation, .edges = state_graph_edge_count(graph)};
    view->first = mem_alloc((view->nodes + 2) * sizeof *view->first);
    view->out = mem_alloc((view->edges + 1) * sizeof *view->out);
    view->left_out = mem_alloc(view->nodes + 1);
    view->part = mem_alloc((view->nodes + 1) * sizeof *view->part);
    view->members = mem_alloc((view->nodes + 1) * sizeof *view->members);
    view->begin = mem_alloc((view->nodes + 1) * sizeof *view->begin);
    view->end = mem_alloc((view->nodes + 1) * sizeof *view->end);
    for (uint32_t i = 0; i < view->edges; i++)
        if (counts(view, edge_of(view, i)))
            view->first[edge_of(view, i)->from + 2]++;
    for (uint32_t i = 2; i < view->nodes + 2; i++)
        view->first[i] += view->first[i - 1];
    for (uint32_t i = 0; i < view->edges; i++)
        if (counts(view, edge_of(view, i)))
            view->out[view->first[edge_of(view, i)->from + 1]++] = i;
}

static void close_view(View *view)
{
    free(view->first);
    free(view->out);
    free(view->left_out);
    free(view->part);
    free(view->members);
    free(view->begin);
    free(view->end);
}

/* ---- Strongly connected parts (Tarjan), without recursion ----------------------------------- */

typedef struct PartSearch {
    uint32_t *index, *low, *next, *stack, *path;
    bool *on_stack;
    uint32_t counter, stacked, depth;
} PartSearch;

static void enter(PartSearch *t, const View *view, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->counter;
    t->next[node] = view->first[node];
    t->stack[t->stacked++] = node;
    t->on_stack[node] = true;
    t->path[t->depth++] = node;
}

static void leave(PartSearch *t, View *view, uint32_t node)
{
    t->depth--;
    if (t->depth && t->low[node] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[node];
    if (t->low[node] != t->index[node])
        return;
    uint32_t member;
    view->begin[node] = view->ordered;
    do {
        member = t->stack[--t->stacked];
        t->on_stack[member] = false;
        view->part[member] = node;
        view->members[view->ordered++] = member;
    } while (member != node);
    view->end[node] = view->ordered;
}

static void visit_from(PartSearch *t, View *view, uint32_t root)
{
    enter(t, view, root);
    while (t->depth) {
        uint32_t node = t->path[t->depth - 1];
        if (t->next[node] == view->first[node + 1]) {
            leave(t, view, node);
            continue;
        }
        uint32_t to = edge_of(view, view->out[t->next[node]++])->to;
        if (!is_open(view, to))
            continue;
        if (!t->index[to])
            enter(t, view, to);
        else if (t->on_stack[to] && t->index[to] < t->low[node])
            t->low[node] = t->index[to];
    }
}

static void divide(View *view)
{
    size_t size = (view->nodes + 1) * sizeof(uint32_t);
    PartSearch t = {.index = mem_alloc(size), .low = mem_alloc(size), .next = mem_alloc(size), .stack = mem_alloc(size),
                .path = mem_alloc(size), .on_stack = mem_alloc(view->nodes + 1)};
    memset(view->part, 0xff, view->nodes * sizeof *view->part);
    view->ordered = 0;
    for (uint32_t node = 0; node < view->nodes; node++)
        if (!t.index[node] && is_open(view, node))
            visit_from(&t, view, node);
    free(t.index);
    free(t.low);
    free(t.next);
    free(t.stack);
    free(t.path);
    free(t.on_stack);
}

/* ---- Fairness ------------------------------------------------------------------------------------- */

/* An alias that stands for its agent, whatever step it takes. */
static uint64_t agent_of(uint64_t alias) { return alias & ~ALIAS_STRONG; }

/* A strongly fair step stands for itself, another one for its agent. */
static bool is_by(uint64_t taken, uint64_t alias)
{
    return taken == alias || (!(alias & ALIAS_STRONG) && agent_of(taken) == alias);
}

static bool is_possible(const View *view, uint32_t node, uint64_t alias)
{
    const StateNode *state = state_graph_get(view->graph, node);
    for (uint32_t i = 0; i < state->aliases; i++)
        if (is_by(state_graph_alias(view->graph, state->first_alias + i), alias))
            return true;
    return false;
}

static bool is_inside(const View *view, uint32_t part, const StateEdge *edge)
{
    return view->part[edge->from] == part && view->part[edge->to] == part;
}

/* Does an edge inside the part take the step? */
static bool is_taken(const View *view, uint32_t part, uint64_t alias)
{
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++)
        for (uint32_t i = view->first[view->members[k]]; i < view->first[view->members[k] + 1]; i++) {
            const StateEdge *edge = edge_of(view, view->out[i]);
            if (is_by(edge->alias, alias) && is_inside(view, part, edge))
                return true;
        }
    return false;
}

/* Does some node of the part lack the step? */
static bool is_lacking(const View *view, uint32_t part, uint64_t alias)
{
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++)
        if (!is_possible(view, view->members[k], alias))
            return true;
    return false;
}

/* Do all agents that are enabled in the node, and have to, take a step? */
static bool is_served(const View *view, uint32_t part, uint32_t node)
{
    const StateNode *state = state_graph_get(view->graph, node);
    for (uint32_t i = 0; i < state->aliases; i++) {
        uint64_t agent = agent_of(state_graph_alias(view->graph, state->first_alias + i));
        if (!is_taken(view, part, agent) && (view->idle || !is_lacking(view, part, agent)))
            return false;
    }
    return true;
}

/* What is possible in all nodes is possible in one. */
static bool is_weakly_fair(const View *view, uint32_t part)
{
    bool fair = is_served(view, part, part);
    for (uint32_t k = view->begin[part]; view->idle && k < view->end[part] && fair; k++)
        fair = is_served(view, part, view->members[k]);
    return fair;
}

/* A strongly fair step that is possible in the part, but not taken inside; 0 if there is none. */
static uint64_t find_neglected(const View *view, uint32_t part)
{
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++) {
        const StateNode *state = state_graph_get(view->graph, view->members[k]);
        for (uint32_t i = 0; i < state->aliases; i++) {
            uint64_t alias = state_graph_alias(view->graph, state->first_alias + i);
            if (alias & ALIAS_STRONG && !is_taken(view, part, alias))
                return alias;
        }
    }
    return 0;
}

/* Leaves out the nodes of the part where the step is possible; all of them if there is no step. */
static void leave_out(View *view, uint32_t part, uint64_t alias)
{
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++)
        if (!alias || is_possible(view, view->members[k], alias))
            view->left_out[view->members[k]] = true;
}

/* Is there an edge inside the part? */
static bool has_cycle(const View *view, uint32_t part)
{
    for (uint32_t i = view->first[part]; i < view->first[part + 1]; i++)
        if (is_inside(view, part, edge_of(view, view->out[i])))
            return true;
    return false;
}

/* ---- The cycle --------------------------------------------------------------------------------------- */

static void add_edge(StateCycle *cycle, uint32_t edge)
{
    if (cycle->count == cycle->room) {
        cycle->room = cycle->room ? 2 * cycle->room : 64;
        cycle->edges = mem_resize(cycle->edges, cycle->room * sizeof *cycle->edges);
    }
    cycle->edges[cycle->count++] = edge;
}

static uint32_t end_of(const View *view, const StateCycle *cycle)
{
    return cycle->count ? edge_of(view, cycle->edges[cycle->count - 1])->to : cycle->node;
}

/* What a walk inside a part looks for: an edge that takes the step or leads to where it is not possible; without a
 * step, one that leads to the node. */
typedef struct WalkGoal {
    const uint64_t *alias;
    uint32_t node;
} WalkGoal;

static bool reaches(const View *view, const WalkGoal *goal, const StateEdge *edge)
{
    if (!goal->alias)
        return edge->to == goal->node;
    if (is_by(edge->alias, *goal->alias))
        return true;
    return !view->idle && !(*goal->alias & ALIAS_STRONG) && !is_possible(view, edge->to, *goal->alias);
}

/* Continues to the goal by the fewest edges. */
static void walk(const View *view, uint32_t part, WalkGoal goal, StateCycle *cycle)
{
    uint32_t *by = mem_alloc((view->nodes + 1) * sizeof *by), *queue = mem_alloc((view->nodes + 1) * sizeof *queue);
    uint32_t start = end_of(view, cycle), head = 0, tail = 0, last = STATE_NONE;
    memset(by, 0xff, view->nodes * sizeof *by);
    queue[tail++] = start;
    while (head < tail && last == STATE_NONE) {
        uint32_t node = queue[head++];
        for (uint32_t i = view->first[node]; i < view->first[node + 1] && last == STATE_NONE; i++) {
            const StateEdge *edge = edge_of(view, view->out[i]);
            if (!is_inside(view, part, edge))
                continue;
            if (reaches(view, &goal, edge)) {
                last = view->out[i];
            } else if (edge->to != start && by[edge->to] == STATE_NONE) {
                by[edge->to] = view->out[i];
                queue[tail++] = edge->to;
            }
        }
    }
    uint32_t first = cycle->count;
    for (uint32_t edge = last; edge != STATE_NONE; edge = edge_of(view, edge)->from == start ? STATE_NONE
                                                          : by[edge_of(view, edge)->from])
        add_edge(cycle, edge);
    for (uint32_t i = first, k = cycle->count; i + 1 < k; i++, k--) {
        uint32_t edge = cycle->edges[i];
        cycle->edges[i] = cycle->edges[k - 1];
        cycle->edges[k - 1] = edge;
    }
    free(by);
    free(queue);
}

static bool takes(const View *view, const StateCycle *cycle, uint64_t alias)
{
    for (uint32_t i = 0; i < cycle->count; i++)
        if (is_by(edge_of(view, cycle->edges[i])->alias, alias))
            return true;
    return false;
}

/* Is the agent enabled all along the cycle so far, without a step? */
static bool is_owed(const View *view, const StateCycle *cycle, uint64_t agent)
{
    bool owed = is_possible(view, cycle->node, agent) && !takes(view, cycle, agent);
    for (uint32_t i = 0; i < cycle->count && owed; i++)
        owed = is_possible(view, edge_of(view, cycle->edges[i])->to, agent);
    return owed;
}

static void take(const View *view, uint32_t part, uint64_t alias, StateCycle *cycle)
{
    walk(view, part, (WalkGoal){.alias = &alias, .node = STATE_NONE}, cycle);
}

/* Takes the steps that are possible in the node, as far as fairness asks for them. */
static void serve(const View *view, uint32_t part, uint32_t node, StateCycle *cycle)
{
    const StateNode *state = state_graph_get(view->graph, node);
    for (uint32_t i = 0; i < state->aliases; i++) {
        uint64_t alias = state_graph_alias(view->graph, state->first_alias + i), agent = agent_of(alias);
        if (view->idle ? !takes(view, cycle, agent) : node == cycle->node && is_owed(view, cycle, agent))
            take(view, part, agent, cycle);
        if (!view->idle && alias & ALIAS_STRONG && !takes(view, cycle, alias))
            take(view, part, alias, cycle);
    }
}

static void make_cycle(const View *view, uint32_t part, StateCycle *cycle)
{
    *cycle = (StateCycle){.node = part};
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++)
        if (state_graph_get(view->graph, view->members[k])->steps <
            state_graph_get(view->graph, cycle->node)->steps)
            cycle->node = view->members[k];
    serve(view, part, cycle->node, cycle);
    for (uint32_t k = view->begin[part]; k < view->end[part]; k++)
        serve(view, part, view->members[k], cycle);
    if (!cycle->count || end_of(view, cycle) != cycle->node)
        walk(view, part, (WalkGoal){.node = cycle->node}, cycle);
}

/* Looks at each part. What is neglected in one is possible again and again wherever the execution comes to such a node,
 * so the others of the part remain to be looked at: true if there are any. */
static bool find_fair(View *view, StateCycle *cycle, bool *found)
{
    bool more = false;
    divide(view);
    for (uint32_t node = 0; node < view->nodes && !*found; node++) {
        if (view->part[node] != node || !has_cycle(view, node))
            continue;
        uint64_t neglected = 0;
        if (!is_weakly_fair(view, node)) {
            leave_out(view, node, 0);
        } else if (!view->idle && (neglected = find_neglected(view, node))) {
            leave_out(view, node, neglected);
            more = true;
        } else {
            make_cycle(view, node, cycle);
            *found = true;
        }
    }
    return more && !*found;
}

bool state_cycle_find(const StateGraph *graph, unsigned obligation, StateCycle *cycle)
{
    View view;
    bool found = false;
    open_view(&view, graph, obligation);
    while (find_fair(&view, cycle, &found))
        ;
    close_view(&view);
    return found;
}

void state_cycle_release(StateCycle *cycle)
{
    free(cycle->edges);
    *cycle = (StateCycle){0};
}

/* ---- States without an end ---------------------------------------------------------------------------- */

static bool may_end(const StateGraph *graph, uint32_t node, const uint32_t *edges)
{
    return edges[node] < state_graph_get(graph, node)->aliases || state_graph_get(graph, node)->aliases == 0;
}

/* Where edges lead to a state that reaches an end, until no more are found. The newest states come first: most edges
 * lead from older to newer ones. */
static void spread(const StateGraph *graph, bool *ends)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = state_graph_edge_count(graph); i-- > 0;) {
            const StateEdge *edge = state_graph_edge(graph, i);
            if (edge->from == STATE_NONE || ends[edge->from] || !ends[edge->to])
                continue;
            more = ends[edge->from] = true;
        }
    }
}

uint32_t state_cycles_endless(const StateGraph *graph)
{
    uint32_t nodes = state_graph_count(graph), endless = 0;
    uint32_t *edges = mem_alloc((nodes + 1) * sizeof *edges);
    bool *ends = mem_alloc(nodes + 1);
    for (uint32_t i = 0; i < state_graph_edge_count(graph); i++)
        if (state_graph_edge(graph, i)->from != STATE_NONE)
            edges[state_graph_edge(graph, i)->from]++;
    for (uint32_t node = 0; node < nodes; node++)
        ends[node] = may_end(graph, node, edges);
    spread(graph, ends);
    for (uint32_t node = 0; node < nodes; node++)
        endless += !ends[node];
    free(edges);
    free(ends);
    return endless;
}
