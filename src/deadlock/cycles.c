/* cycles.c - see cycles.h
 *
 * Design: a depth-first search from each node; each search ignores the starting nodes of earlier ones, so that each
 * cycle is found once. A path is dropped as soon as two of its parts cannot happen in parallel; only strongly connected
 * components are searched, since other paths cannot return.
 */
#include "deadlock/cycles.h"

#include <stdlib.h>
#include <string.h>

#include "deadlock/bits.h"
#include "deadlock/helpers.h"

enum { MOST_LENGTH = 64, MOST_WORK = 2000000 };

/* Nodes: tasks first, then the abstract objects that name cogs. */
typedef struct Arc {
    uint32_t to;
    uint32_t wait; /* UINT32_MAX: a task waits for its cog */
} Arc;

typedef struct CycleEnumeration {
    Cycles *cycles;
    const DepGraph *graph;
    uint32_t tasks, nodes;
    VEC(Arc) *arcs;       /* by node                       */
    uint32_t *component;  /* strongly connected, by node   */
    uint8_t *on_path;
    uint32_t start;
    Arc path[MOST_LENGTH]; /* arcs taken                   */
    uint32_t from[MOST_LENGTH];
    uint32_t length;
    uint64_t work;
    uint8_t *parallel;       /* may two waits happen in parallel? 0 unknown, 1 no, 2 yes */
} CycleEnumeration;

/* ---- The graph ------------------------------------------------------------------------- */

static void add_arc(CycleEnumeration *s, uint32_t from, uint32_t to, uint32_t wait)
{
    VEC_PUSH(&s->arcs[from], ((Arc){to, wait}));
}

static void build(CycleEnumeration *s)
{
    const DepGraph *graph = s->graph;
    uint8_t *blocked = mem_alloc(s->nodes);
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        const WaitEdge *wait = &graph->waits.items[i];
        uint32_t cog = s->tasks + depgraph_cog(graph, wait->task);
        add_arc(s, wait->task, wait->target, i);
        if (wait->blocks)
            add_arc(s, cog, wait->target, i);
        blocked[cog] |= wait->blocks;
    }
    for (uint32_t task = 0; task < s->tasks; task++)
        if (blocked[s->tasks + depgraph_cog(graph, task)])
            add_arc(s, task, s->tasks + depgraph_cog(graph, task), UINT32_MAX);
    free(blocked);
}

/* ---- Components (Tarjan) ----------------------------------------------------------------- */

typedef struct Tarjan {
    CycleEnumeration *s;
    uint32_t *index, *low, *stack;
    uint32_t depth, next, components;
} Tarjan;

static void connect(Tarjan *t, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->next;
    t->stack[t->depth++] = node;
    for (uint32_t i = 0; i < t->s->arcs[node].count; i++) {
        uint32_t to = t->s->arcs[node].items[i].to;
        if (!t->index[to])
            connect(t, to);
        if (!t->s->component[to] && t->low[to] < t->low[node])
            t->low[node] = t->low[to];
    }
    if (t->low[node] != t->index[node])
        return;
    t->components++;
    uint32_t top;
    do {
        top = t->stack[--t->depth];
        t->s->component[top] = t->components;
    } while (top != node);
}

static void find_components(CycleEnumeration *s)
{
    Tarjan t = {.s = s, .index = mem_alloc(s->nodes * sizeof(uint32_t)), .low = mem_alloc(s->nodes * sizeof(uint32_t)),
                .stack = mem_alloc(s->nodes * sizeof(uint32_t))};
    for (uint32_t node = 0; node < s->nodes; node++)
        if (!t.index[node])
            connect(&t, node);
    free(t.index);
    free(t.low);
    free(t.stack);
}

/* ---- Parallelism --------------------------------------------------------------------------------- */

static bool waits_parallel(CycleEnumeration *s, uint32_t a, uint32_t b)
{
    uint8_t *memo = &s->parallel[(size_t)a * s->graph->waits.count + b];
    if (!*memo)
        *memo = depgraph_waits_parallel(s->graph, a, b) ? 2 : 1;
    return *memo == 2;
}

/* May two parts of a cycle happen in parallel? A part is a wait, or a task that waits for its cog. */
static bool parts_parallel(CycleEnumeration *s, Arc a, uint32_t from_a, Arc b, uint32_t from_b)
{
    if (a.wait != UINT32_MAX && b.wait != UINT32_MAX)
        return waits_parallel(s, a.wait, b.wait);
    if (a.wait != UINT32_MAX)
        return depgraph_pending_parallel_wait(s->graph, from_b, a.wait);
    if (b.wait != UINT32_MAX)
        return depgraph_pending_parallel_wait(s->graph, from_a, b.wait);
    return depgraph_pending_parallel(s->graph, from_a, from_b);
}

/* After a wait for a condition: could the next task, at its wait, still help? */
static bool still_helps(const CycleEnumeration *s, Arc before, Arc arc)
{
    const WaitEdge *waits = s->graph->waits.items;
    return before.wait == UINT32_MAX || arc.wait == UINT32_MAX || !waits[before.wait].condition ||
           waits[before.wait].target != waits[arc.wait].task ||
           helpers_still_help(s->graph, &waits[before.wait], &waits[arc.wait]);
}

static bool fits_path(CycleEnumeration *s, uint32_t from, Arc arc)
{
    if (s->length && !still_helps(s, s->path[s->length - 1], arc))
        return false;
    for (uint32_t i = 0; i < s->length; i++)
        if (!parts_parallel(s, arc, from, s->path[i], s->from[i]))
            return false;
    return true;
}

/* ---- Cycles -------------------------------------------------------------------------------------- */

/* Begins with the oldest object, if there is one. */
static void rotate(CycleEnumeration *s, ModelCycle *cycle)
{
    uint32_t best = 0, oldest = UINT32_MAX;
    for (uint32_t i = 0; i < cycle->count; i++) {
        uint32_t cog = depgraph_cog(s->graph, s->graph->waits.items[cycle->steps[i].wait].task);
        if (cycle->steps[i].by_cog && cog < oldest) {
            oldest = cog;
            best = i;
        }
    }
    CycleStep *turned = arena_alloc(&s->cycles->arena, cycle->count * sizeof *turned);
    for (uint32_t i = 0; i < cycle->count; i++)
        turned[i] = cycle->steps[(best + i) % cycle->count];
    cycle->steps = turned;
}

/* The path is a cycle: keep its waits. */
static void keep_cycle(CycleEnumeration *s)
{
    Cycles *cycles = s->cycles;
    ModelCycle cycle = {.steps = arena_alloc(&cycles->arena, s->length * sizeof(CycleStep))};
    if (cycles->list.count == CYCLES_MOST) {
        cycles->cut = true;
        return;
    }
    for (uint32_t i = 0; i < s->length; i++)
        if (s->path[i].wait != UINT32_MAX)
            cycle.steps[cycle.count++] = (CycleStep){s->path[i].wait, s->from[i] >= s->tasks};
    rotate(s, &cycle);
    VEC_PUSH(&cycles->list, cycle);
}

static void extend(CycleEnumeration *s, uint32_t node)
{
    s->on_path[node] = 1;
    for (uint32_t i = 0; i < s->arcs[node].count && !s->cycles->cut; i++) {
        Arc arc = s->arcs[node].items[i];
        if (arc.to < s->start || s->component[arc.to] != s->component[s->start] ||
            s->on_path[arc.to] > (arc.to == s->start))
            continue;
        if (++s->work > MOST_WORK || s->length == MOST_LENGTH) {
            s->cycles->cut = true;
            break;
        }
        if (!fits_path(s, node, arc))
            continue;
        s->from[s->length] = node;
        s->path[s->length++] = arc;
        if (arc.to == s->start && still_helps(s, arc, s->path[0]))
            keep_cycle(s);
        else if (arc.to != s->start)
            extend(s, arc.to);
        s->length--;
    }
    s->on_path[node] = 0;
}

Cycles *cycles_create(const DepGraph *graph)
{
    Cycles *cycles = mem_alloc(sizeof *cycles);
    cycles->graph = graph;
    CycleEnumeration s = {.cycles = cycles, .graph = graph, .tasks = graph->p->tasks.count};
    s.nodes = s.tasks + graph->p->objects.count;
    s.arcs = mem_alloc(s.nodes * sizeof *s.arcs);
    s.component = mem_alloc(s.nodes * sizeof *s.component);
    s.on_path = mem_alloc(s.nodes);
    s.parallel = mem_alloc((size_t)graph->waits.count * graph->waits.count + 1);
    build(&s);
    find_components(&s);
    for (s.start = 0; s.start < s.nodes && !cycles->cut; s.start++)
        extend(&s, s.start);
    for (uint32_t i = 0; i < s.nodes; i++)
        VEC_FREE(&s.arcs[i]);
    free(s.arcs);
    free(s.component);
    free(s.on_path);
    free(s.parallel);
    return cycles;
}

void cycles_destroy(Cycles *cycles)
{
    if (!cycles)
        return;
    VEC_FREE(&cycles->list);
    arena_release(&cycles->arena);
    free(cycles);
}
