/* model_rc11.c - the memory model of C11, repaired (RC11)
 *
 * Lahav et al., "Repairing sequential consistency in C/C++11" (PLDI 2017). Coherence is decided by the clocks of
 * happens-before; the axiom on seq_cst events (psc) by sets of bits, and only if there are two of them.
 * Release sequences are those of C11: with later stores of the same thread.
 */
#include "core/graph/model.h"

#include <string.h>

/* ---- Coherence ---------------------------------------------------------- */

/* Nothing that happens before the event saw a newer write of the location than it does (`place`), nor is one. */
static bool coherent(const Graph *graph, uint32_t e, uint32_t place)
{
    const GraphEvent *event = &graph->events.items[e];
    for (uint32_t i = 0; i < graph->events.count; i++) {
        const GraphEvent *other = &graph->events.items[i];
        if (i == e || other->location != event->location)
            continue;
        uint32_t newest = graph_is_write(other) ? other->place : graph_place(graph, other->source);
        if (newest > place && graph_happens_before(graph, i, e))
            return false;
    }
    return true;
}

/* A write must be newer than what happens before it; a read may see the same. */
static bool event_coherent(const Graph *graph, uint32_t e)
{
    const GraphEvent *event = &graph->events.items[e];
    switch ((GraphKind)event->kind) {
    case GRAPH_READ:
    case GRAPH_UPDATE: return coherent(graph, e, graph_place(graph, event->source));
    case GRAPH_WRITE: return coherent(graph, e, event->place);
    case GRAPH_LOCAL:
    case GRAPH_FENCE:
    case GRAPH_STRONG: break;
    }
    return true;
}

/* ---- Relations as sets of bits ------------------------------------------ */

/* On some of the events, `nodes`. */
typedef struct Relations {
    const Graph *graph;
    const uint32_t *nodes;
    uint32_t n, words;
    uint64_t *memory;   /* the next free row */
} Relations;

static const GraphEvent *event_at(const Relations *rel, uint32_t i) { return &rel->graph->events.items[rel->nodes[i]]; }

typedef uint64_t *Pairs; /* n rows of `words` words */

static Pairs empty(Relations *rel)
{
    Pairs made = rel->memory;
    size_t size = (size_t)rel->n * rel->words;
    memset(made, 0, size * sizeof *made);
    rel->memory += size;
    return made;
}

static uint64_t *row(const Relations *rel, Pairs r, uint32_t i) { return r + (size_t)i * rel->words; }
static void set(const Relations *rel, Pairs r, uint32_t i, uint32_t k)
{
    row(rel, r, i)[k / 64] |= 1ull << k % 64;
}
static bool has(const Relations *rel, Pairs r, uint32_t i, uint32_t k)
{
    return row(rel, r, i)[k / 64] >> k % 64 & 1;
}

/* into[i] |= b[k] for all k in a[i]. */
static void compose(const Relations *rel, Pairs into, Pairs a, Pairs b)
{
    for (uint32_t i = 0; i < rel->n; i++)
        for (uint32_t w = 0; w < rel->words; w++)
            for (uint64_t left = row(rel, a, i)[w]; left; left &= left - 1) {
                const uint64_t *from = row(rel, b, 64 * w + (uint32_t)__builtin_ctzll(left));
                for (uint32_t v = 0; v < rel->words; v++)
                    row(rel, into, i)[v] |= from[v];
            }
}

static void add_all(const Relations *rel, Pairs into, Pairs from)
{
    for (size_t i = 0; i < (size_t)rel->n * rel->words; i++)
        into[i] |= from[i];
}

static void close(const Relations *rel, Pairs r)
{
    for (uint32_t k = 0; k < rel->n; k++)
        for (uint32_t i = 0; i < rel->n; i++)
            if (has(rel, r, i, k))
                for (uint32_t w = 0; w < rel->words; w++)
                    row(rel, r, i)[w] |= row(rel, r, k)[w];
}

/* ---- The axiom on seq_cst events ------------------------------------------- */

static bool is_sc_access(const GraphEvent *event)
{
    return event->order == ORDER_SEQ_CST && event->kind != GRAPH_FENCE;
}
static bool is_sc_fence(const GraphEvent *event)
{
    return event->order == ORDER_SEQ_CST && event->kind == GRAPH_FENCE;
}

static bool same_location(const GraphEvent *a, const GraphEvent *b)
{
    return a->location != GRAPH_NONE && a->location == b->location;
}

/* Is `b` a newer write of the location than the one that `a` is or reads? */
static bool sees_older(const Graph *graph, const GraphEvent *a, const GraphEvent *b)
{
    return graph_is_write(b) && b->place > (graph_is_write(a) ? a->place : graph_place(graph, a->source));
}

/* Reads-from, coherence, from-reads: all pairs of coherence, and of reads with newer writes. */
static void add_communication(Relations *rel, Pairs co_fr, Pairs eco)
{
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++) {
            if (a == b || !same_location(event_at(rel, a), event_at(rel, b)))
                continue;
            if (sees_older(rel->graph, event_at(rel, a), event_at(rel, b)))
                set(rel, co_fr, a, b);
            if (graph_is_read(event_at(rel, b)) && event_at(rel, b)->source == rel->nodes[a])
                set(rel, eco, a, b);
        }
    add_all(rel, eco, co_fr);
    close(rel, eco);
}

/* scb: program order; program order to another location, happens-before, and program order from another location;
 * happens-before in one location; coherence and from-reads. */
static void add_scb(Relations *rel, Pairs scb, Pairs hb, Pairs po_other, Pairs co_fr)
{
    Pairs half = empty(rel);
    compose(rel, half, po_other, hb);
    compose(rel, scb, half, po_other);
    add_all(rel, scb, co_fr);
}

/* A decision on inputs is no event of the memory model. */
static bool counts(const GraphEvent *event) { return event->kind != GRAPH_LOCAL || event->creates; }

/* Does event `a` precede event `b` in program order, the creation of its agent included? That begins with an event of
 * its own, which is not in the graph. */
static bool precedes(const Graph *graph, uint32_t a, uint32_t b)
{
    const GraphEvent *events = graph->events.items;
    while (b != GRAPH_NONE && b > a && events[b].agent != events[a].agent)
        b = events[b].previous;
    return b != GRAPH_NONE && b >= a && events[b].agent == events[a].agent && events[a].index <= events[b].index;
}

static void add_order(Relations *rel, Pairs hb, Pairs po_other, Pairs scb, uint32_t a, uint32_t b)
{
    const GraphEvent *one = event_at(rel, a), *two = event_at(rel, b);
    bool same = same_location(one, two);
    if (!graph_happens_before(rel->graph, rel->nodes[a], rel->nodes[b]))
        return;
    set(rel, hb, a, b);
    if (same)
        set(rel, scb, a, b);
    if (!precedes(rel->graph, rel->nodes[a], rel->nodes[b]))
        return;
    set(rel, scb, a, b);
    if (!same && counts(one) && counts(two))
        set(rel, po_other, a, b);
}

static void add_orders(Relations *rel, Pairs hb, Pairs po_other, Pairs scb)
{
    for (uint32_t b = 0; b < rel->n; b++)
        for (uint32_t a = 0; a < b; a++)
            add_order(rel, hb, po_other, scb, a, b);
}

/* Left and right ends of psc: a seq_cst access itself; a fence and what happens before or after it. */
static void add_ends(Relations *rel, Pairs hb, Pairs left, Pairs right)
{
    for (uint32_t a = 0; a < rel->n; a++) {
        const GraphEvent *event = event_at(rel, a);
        if (is_sc_access(event) || is_sc_fence(event)) {
            set(rel, left, a, a);
            set(rel, right, a, a);
        }
        for (uint32_t b = 0; b < rel->n && is_sc_fence(event); b++) {
            if (has(rel, hb, a, b))
                set(rel, left, a, b);
            if (has(rel, hb, b, a))
                set(rel, right, b, a);
        }
    }
}

static void add_fences(Relations *rel, Pairs psc, Pairs hb, Pairs eco)
{
    Pairs half = empty(rel), whole = empty(rel);
    compose(rel, half, hb, eco);
    compose(rel, whole, half, hb);
    add_all(rel, whole, hb);
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++)
            if (is_sc_fence(event_at(rel, a)) && is_sc_fence(event_at(rel, b)) && has(rel, whole, a, b))
                set(rel, psc, a, b);
}

static bool sc_events_ordered(const Graph *graph, const uint32_t *nodes, uint32_t count, ModelScratch *scratch)
{
    enum { RELATIONS = 14 };
    Relations rel = {.graph = graph, .nodes = nodes, .n = count, .words = (count + 63) / 64};
    VEC_RESERVE(&scratch->bits, RELATIONS * rel.n * rel.words);
    rel.memory = scratch->bits.items;
    Pairs hb = empty(&rel), po_other = empty(&rel), scb = empty(&rel), co_fr = empty(&rel), eco = empty(&rel);
    Pairs left = empty(&rel), right = empty(&rel), half = empty(&rel), psc = empty(&rel);
    add_orders(&rel, hb, po_other, scb);
    add_communication(&rel, co_fr, eco);
    add_scb(&rel, scb, hb, po_other, co_fr);
    add_ends(&rel, hb, left, right);
    compose(&rel, half, left, scb);
    compose(&rel, psc, half, right);
    add_fences(&rel, psc, hb, eco);
    close(&rel, psc);
    for (uint32_t e = 0; e < rel.n; e++)
        if (has(&rel, psc, e, e))
            return false;
    return true;
}

static bool has_sc_events(const Graph *graph)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < graph->events.count; e++)
        count += graph->events.items[e].order == ORDER_SEQ_CST;
    return count > 1;
}

/* The place in coherence order of what an event writes, or else reads. */
static uint32_t place_of(const Graph *graph, const GraphEvent *event)
{
    return graph_is_write(event) ? event->place : graph_place(graph, event->source);
}

/* Does it come before an event that was there before it? Nothing needs it: only in coherence order. */
static bool comes_before_others(const Graph *graph, const GraphEvent *event)
{
    return graph_is_weak(event) && event->location != GRAPH_NONE &&
           graph_writes(graph, event->location) > place_of(graph, event);
}

/* What comes before the new events by program order, reads-from, coherence and from-reads: per agent its first so many
 * events, `before`; of each location the writes up to a place, `newest`, and the reads of older ones. */
static void find_before_new(const Graph *graph, uint32_t fresh, uint32_t *before, uint32_t *newest)
{
    bool more = true;
    for (uint32_t e = fresh; e < graph->events.count; e++)
        clock_join(before, graph_clock(graph, e, CLOCK_NEEDED), graph->agents);
    while (more) {
        more = false;
        for (uint32_t e = 0; e < graph->events.count; e++) {
            const GraphEvent *event = &graph->events.items[e];
            if (!graph_is_weak(event) || event->location == GRAPH_NONE)
                continue;
            uint32_t place = place_of(graph, event), *last = &newest[event->location];
            if (before[event->agent] <= event->index) {
                if (place >= *last)
                    continue;
                clock_join(before, graph_clock(graph, e, CLOCK_NEEDED), graph->agents);
                more = true;
            }
            if (graph_is_write(event) && place > *last) {
                *last = place;
                more = true;
            }
        }
    }
}

static bool some_come_before_others(const Graph *graph, uint32_t fresh)
{
    for (uint32_t e = fresh; e < graph->events.count; e++)
        if (comes_before_others(graph, &graph->events.items[e]))
            return true;
    return false;
}

/* Does a new event lie on a cycle of these relations? It comes before others by the next write only. */
static bool closes_cycle(const Graph *graph, uint32_t fresh, ModelScratch *scratch)
{
    uint32_t count = graph->agents + graph->location_count;
    VEC_RESERVE(&scratch->numbers, count);
    uint32_t *before = scratch->numbers.items;
    memset(before, 0, count * sizeof *before);
    find_before_new(graph, fresh, before, before + graph->agents);
    for (uint32_t e = fresh; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (!comes_before_others(graph, event))
            continue;
        uint32_t next = graph_write_at(graph, event->location, place_of(graph, event) + 1);
        if (before[graph->events.items[next].agent] > graph->events.items[next].index)
            return true;
    }
    return false;
}

/* A cycle of psc is one of program order, reads-from, coherence and from-reads too; and it goes through a new event. So
 * only the events on such cycles matter. */
static bool sc_axiom_holds(const Graph *graph, uint32_t fresh, ModelScratch *scratch)
{
    const uint32_t *around;
    if (!some_come_before_others(graph, fresh) || !closes_cycle(graph, fresh, scratch))
        return true;
    Digraph digraph = digraph_start(scratch, graph->events.count);
    digraph_add_all(&digraph, graph);
    uint32_t count = digraph_around(&digraph, fresh, &around), ordered = 0;
    for (uint32_t i = 0; i < count; i++)
        ordered += graph->events.items[around[i]].order == ORDER_SEQ_CST;
    return ordered <= 1 || sc_events_ordered(graph, around, count, scratch);
}

bool model_rc11(const Graph *graph, uint32_t fresh, ModelScratch *scratch)
{
    for (uint32_t e = fresh; e < graph->events.count; e++)
        if (!event_coherent(graph, e))
            return false;
    return !has_sc_events(graph) || sc_axiom_holds(graph, fresh, scratch);
}
