/* depgraph.c - see depgraph.h */
#include "deadlock/depgraph.h"

#include <stdlib.h>

#include "deadlock/bits.h"
#include "deadlock/helpers.h"

/* ---- Bodies ------------------------------------------------------------------------- */

static void add_body(const ModelPointsTo *p, uint32_t activation, uint64_t *body)
{
    const Activation *a = p->activations.items[activation];
    if (bits_has(body, activation))
        return;
    bits_add(body, activation);
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].kind == LINK_INSIDE)
            add_body(p, a->links.items[i].target, body);
}

static uint64_t *make_body(DepGraph *graph, uint32_t task)
{
    uint64_t *body = arena_zero(&graph->arena, bits_words(graph->p->activations.count) * sizeof *body);
    add_body(graph->p, graph->p->tasks.items[task].activation, body);
    return body;
}

/* Tasks that may run while this one waits for its cog. */
static uint64_t *make_paused(DepGraph *graph, uint32_t task)
{
    const ModelPointsTo *p = graph->p;
    uint64_t *paused = arena_zero(&graph->arena, graph->mhp->words * sizeof *paused);
    for (uint32_t i = 0; i < p->activations.count; i++) {
        const Activation *a = p->activations.items[i];
        for (uint32_t at = 0; bits_has(graph->bodies[task], i) && at < a->code->count; at++)
            if (a->reached[at] && (a->code->instrs[at].op == INSTR_AWAIT || a->code->instrs[at].op == INSTR_SUSPEND))
                mhp_add_parallel(graph->mhp, i, at, paused);
    }
    return paused;
}

/* ---- Waits ----------------------------------------------------------------------------- */

static void add_waits_for(DepGraph *graph, WaitEdge edge, uint32_t number)
{
    const Activation *a = graph->p->activations.items[edge.activation];
    if (mhp_is_resolved(graph->mhp, edge.activation, edge.at, number))
        return;
    AtomSet futures = atoms_get(&graph->p->atoms, model_pointsto_register(a, edge.at, number));
    for (uint32_t i = 0; i < futures.count; i++)
        if (atom_is_task(futures.items[i])) {
            edge.target = atom_number(futures.items[i]);
            VEC_PUSH(&graph->waits, edge);
        }
}

static void add_calls(DepGraph *graph, WaitEdge edge)
{
    const Activation *a = graph->p->activations.items[edge.activation];
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].at == edge.at && a->links.items[i].kind == LINK_CALL) {
            edge.target = a->links.items[i].target;
            VEC_PUSH(&graph->waits, edge);
        }
}

static void add_waits_at(DepGraph *graph, uint32_t task, uint32_t activation, uint32_t at)
{
    const Instr *instr = &graph->p->activations.items[activation]->code->instrs[at];
    WaitEdge edge = {.task = task, .activation = activation, .at = at, .blocks = instr->op != INSTR_AWAIT};
    if (instr->op == INSTR_GET)
        add_waits_for(graph, edge, instr->b);
    else if (instr->op == INSTR_SYNC)
        add_calls(graph, edge);
    for (uint32_t i = 0; instr->op == INSTR_AWAIT && i < instr->x.guard->future_count; i++)
        add_waits_for(graph, edge, instr->x.guard->futures[i]);
    edge.target = UINT32_MAX;
    if (instr->op == INSTR_AWAIT && instr->x.guard->condition)
        VEC_PUSH(&graph->conditions, edge);
}

static void add_waits(DepGraph *graph, uint32_t task)
{
    const ModelPointsTo *p = graph->p;
    for (uint32_t i = 0; i < p->activations.count; i++) {
        const Activation *a = p->activations.items[i];
        for (uint32_t at = 0; bits_has(graph->bodies[task], i) && at < a->code->count; at++)
            if (a->reached[at])
                add_waits_at(graph, task, i, at);
    }
}

/* Waits for a condition are waits for each task that could make it true. */
static void add_helpers(DepGraph *graph, WaitEdge edge)
{
    uint64_t *writers = mem_alloc((graph->mhp->words + 1) * sizeof *writers),
             *helpers = mem_alloc((graph->mhp->words + 1) * sizeof *helpers);
    helpers_find(graph, &edge, writers, helpers);
    edge.condition = true;
    for (uint32_t task = 0; task < graph->p->tasks.count; task++)
        if (bits_has(helpers, task)) {
            edge.target = task;
            VEC_PUSH(&graph->waits, edge);
        }
    free(writers);
    free(helpers);
}

/* ---- Lifecycle --------------------------------------------------------------------------- */

DepGraph *depgraph_create(const ModelPointsTo *p)
{
    DepGraph *graph = mem_alloc(sizeof *graph);
    graph->p = p;
    graph->mhp = mhp_create(p);
    graph->bodies = arena_zero(&graph->arena, p->tasks.count * sizeof *graph->bodies);
    graph->paused = arena_zero(&graph->arena, p->tasks.count * sizeof *graph->paused);
    for (uint32_t task = 0; task < p->tasks.count; task++) {
        graph->bodies[task] = make_body(graph, task);
        graph->paused[task] = make_paused(graph, task);
        add_waits(graph, task);
    }
    for (uint32_t i = 0; i < graph->conditions.count; i++)
        add_helpers(graph, graph->conditions.items[i]);
    return graph;
}

void depgraph_destroy(DepGraph *graph)
{
    if (!graph)
        return;
    mhp_destroy(graph->mhp);
    VEC_FREE(&graph->waits);
    VEC_FREE(&graph->conditions);
    arena_release(&graph->arena);
    free(graph);
}

/* ---- Questions ---------------------------------------------------------------------------- */

uint32_t depgraph_cog(const DepGraph *graph, uint32_t task)
{
    return graph->p->objects.items[graph->p->tasks.items[task].object].cog;
}

/* May the task run in parallel at the program point of the wait? */
static bool wait_allows(const DepGraph *graph, const WaitEdge *wait, uint32_t task)
{
    uint64_t *tasks = mem_alloc(graph->mhp->words * sizeof *tasks);
    mhp_add_parallel(graph->mhp, wait->activation, wait->at, tasks);
    bool allows = bits_has(tasks, task);
    free(tasks);
    return allows;
}

bool depgraph_waits_parallel(const DepGraph *graph, uint32_t wait, uint32_t other)
{
    const WaitEdge *a = &graph->waits.items[wait], *b = &graph->waits.items[other];
    if (a->task == b->task && a->activation == b->activation && a->at == b->at)
        return true;
    if (a->blocks && b->blocks && depgraph_cog(graph, a->task) == depgraph_cog(graph, b->task) &&
        graph->p->objects.items[depgraph_cog(graph, a->task)].single)
        return false; /* both would hold the same cog */
    return mhp_are_paired(graph->mhp, a->task, b->task) || wait_allows(graph, a, b->task) ||
           wait_allows(graph, b, a->task);
}

bool depgraph_pending_parallel_wait(const DepGraph *graph, uint32_t task, uint32_t wait)
{
    const WaitEdge *edge = &graph->waits.items[wait];
    return mhp_are_paired(graph->mhp, task, edge->task) || bits_has(graph->paused[task], edge->task) ||
           wait_allows(graph, edge, task);
}

bool depgraph_pending_parallel(const DepGraph *graph, uint32_t task, uint32_t other)
{
    return task == other || mhp_are_paired(graph->mhp, task, other) || bits_has(graph->paused[task], other) ||
           bits_has(graph->paused[other], task);
}
