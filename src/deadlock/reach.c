/* reach.c - see reach.h */
#include "deadlock/reach.h"

#include <stdlib.h>

#include "deadlock/bits.h"
#include "deadlock/flow.h"

void reach_init(ReachTable *reach, const Analysis *analysis)
{
    *reach = (ReachTable){.analysis = analysis};
}

void reach_release(ReachTable *reach)
{
    arena_release(&reach->arena);
    map_release(&reach->known);
}

static void mark_from(const Code *code, uint32_t at, bool *ahead)
{
    uint32_t next[FLOW_MOST_NEXT];
    while (at < code->count && !ahead[at]) {
        const TryRegion *region = flow_handler(code, at);
        ahead[at] = true;
        if (region)
            mark_from(code, region->target, ahead);
        uint32_t count = flow_next(code, at, next);
        if (count == 0)
            return;
        if (count > 1)
            mark_from(code, next[1], ahead);
        at = next[0];
    }
}

static void add_whole(const ModelPointsTo *p, uint32_t activation, uint64_t *activations)
{
    const Activation *a = p->activations.items[activation];
    if (bits_has(activations, activation))
        return;
    bits_add(activations, activation);
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].kind == LINK_INSIDE)
            add_whole(p, a->links.items[i].target, activations);
}

static void add_task(const DepGraph *graph, uint32_t task, uint64_t *tasks)
{
    bits_add(tasks, task);
    bits_join(tasks, graph->mhp->locals[graph->p->tasks.items[task].activation].desc, graph->mhp->words);
}

/* Links of recover blocks are at the last instruction, but the blocks may start anywhere. */
static bool lies_ahead(const ModelPointsTo *p, const Link *link, const bool *ahead)
{
    return ahead[link->at] ||
           (link->kind == LINK_INSIDE && p->activations.items[link->target]->code->kind == CODE_RECOVER);
}

static void add_links(const DepGraph *graph, const Activation *a, const bool *ahead, ReachSet *set)
{
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        if (!lies_ahead(graph->p, link, ahead))
            continue;
        if (link->kind != LINK_INSIDE)
            add_task(graph, link->target, set->tasks);
        else
            add_whole(graph->p, link->target, set->activations);
    }
    for (uint32_t i = 0; i < graph->p->activations.count; i++)
        if (bits_has(set->activations, i))
            bits_join(set->tasks, graph->mhp->locals[i].desc, graph->mhp->words);
}

static ReachSet *compute(ReachTable *reach, uint32_t activation, const bool *ahead)
{
    const DepGraph *graph = reach->analysis->graph;
    ReachSet *set = arena_zero(&reach->arena, sizeof *set);
    set->activations = arena_zero(&reach->arena, bits_words(graph->p->activations.count) * sizeof(uint64_t));
    set->waits = arena_zero(&reach->arena, (bits_words(graph->waits.count) + 1) * sizeof(uint64_t));
    set->tasks = arena_zero(&reach->arena, graph->mhp->words * sizeof(uint64_t));
    add_links(graph, graph->p->activations.items[activation], ahead, set);
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        const WaitEdge *wait = &graph->waits.items[i];
        if (bits_has(set->activations, wait->activation) || (wait->activation == activation && ahead[wait->at]))
            bits_add(set->waits, i);
    }
    return set;
}

static const ReachSet *find(ReachTable *reach, uint32_t activation, uint32_t at, bool after)
{
    bool added;
    const Code *code = reach->analysis->points->activations.items[activation]->code;
    uint64_t *place = map_insert(&reach->known, (uint64_t)activation << 32 | at << 1 | after, &added);
    if (!added)
        return (const ReachSet *)(uintptr_t)*place;
    bool *ahead = mem_alloc(code->count + 1u);
    uint32_t next[FLOW_MOST_NEXT], count = after ? flow_next(code, at, next) : 0;
    const TryRegion *region = after ? flow_handler(code, at) : NULL;
    if (!after)
        mark_from(code, at, ahead);
    for (uint32_t i = 0; i < count; i++)
        mark_from(code, next[i], ahead);
    if (region)
        mark_from(code, region->target, ahead);
    ReachSet *set = compute(reach, activation, ahead);
    free(ahead);
    *map_insert(&reach->known, (uint64_t)activation << 32 | at << 1 | after, &added) = map_key(set);
    return set;
}

const ReachSet *reach_from(ReachTable *reach, uint32_t activation, uint32_t at)
{
    return find(reach, activation, at, false);
}

const ReachSet *reach_after(ReachTable *reach, uint32_t activation, uint32_t at)
{
    return find(reach, activation, at, true);
}
