/* revisit.c - backward: reads that came too early for a write
 *
 * Let `a` be a write that is being added and r an earlier read of its location that a does not need. What was added
 * after r and is not needed by a goes away, and r reads from a, provided that r and all that goes away were added in
 * the maximal way.
 * If r cannot continue with what a writes (it waits for another value), it is frozen: it has read a value that does not
 * let its agent continue, which waits to the end (GRAPH-5).
 */
#include "core/graph/visit.h"

#include <string.h>

/* ---- What goes away ------------------------------------------------------- */

static void find_needed(GraphVisit *visit, const GraphEvent *event)
{
    const Graph *graph = &visit->graph;
    VEC_RESERVE(&visit->need, graph->agents);
    memset(visit->need.items, 0, graph->agents * sizeof *visit->need.items);
    if (event->previous != GRAPH_NONE)
        clock_join(visit->need.items, graph_clock(graph, event->previous, CLOCK_NEEDED), graph->agents);
    if (event->source < GRAPH_INITIAL)
        clock_join(visit->need.items, graph_clock(graph, event->source, CLOCK_NEEDED), graph->agents);
}

/* Decides what stays; false if something that would go away is not maximal. */
static bool take_away(GraphVisit *visit, uint32_t r)
{
    const Graph *graph = &visit->graph;
    const GraphEvent *events = graph->events.items;
    VEC_RESERVE(&visit->keep, graph->events.count);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        visit->keep.items[e] = e != r && (events[e].rank < events[r].rank || visit_needs(visit, e));
        if (!visit->keep.items[e] && !maximal_event(visit, e))
            return false;
    }
    return true;
}

/* ---- The new graph ---------------------------------------------------------- */

static uint32_t renamed(const GraphVisit *visit, uint32_t e) { return e >= GRAPH_INITIAL ? e : visit->names.items[e]; }

/* `other` becomes what stays, all events before `rank` among it, and the revisiting event: at this place in coherence
 * order, or behind its source. */
static void begin_other(GraphVisit *visit, const GraphEvent *event, uint32_t rank, uint32_t place)
{
    VEC_RESERVE(&visit->names, visit->graph.events.count);
    graph_restrict(&visit->other, &visit->graph, visit->keep.items, rank, visit->names.items, 2);
    GraphEvent added = *event;
    added.previous = renamed(visit, event->previous);
    added.source = renamed(visit, event->source);
    added.rank = visit->next_rank;
    bool writes = event->kind == GRAPH_WRITE;
    graph_add(&visit->other, added, writes ? graph_write_at(&visit->other, event->location, place) : added.source);
}

/* How many writes of the location stay. */
static uint32_t writes_kept(const GraphVisit *visit, uint32_t location)
{
    uint32_t writes = 0;
    for (uint32_t p = 1; p <= graph_writes(&visit->graph, location); p++)
        writes += visit->keep.items[graph_write_at(&visit->graph, location, p)];
    return writes;
}

/* The value that an event which was executed with another source writes, as the program says. */
static bool tell_written(const GraphVisit *visit, const GraphEvent *event, int64_t *value)
{
    Program *program = visit->search->program;
    int64_t read = graph_value(&visit->graph, event->location, event->source);
    return program->ops->written && event->position < BLOCKED_STEP &&
           program->ops->written(program, visit->search->ex, event->position, read, value);
}

/* The value that the revisiting event writes; false if it cannot be executed there. */
static bool written_value(GraphVisit *visit, const GraphEvent *event, bool known, int64_t *value)
{
    if (known) {
        *value = graph_weak_access(&visit->graph, event->position)->after;
        return true;
    }
    if (tell_written(visit, event, value))
        return true;
    if (!visit_probe(visit, NULL, 0))
        return false;
    const Execution *probe = visit->search->probe;
    const Event *last = &probe->events[probe->event_count - 1];
    for (uint32_t i = 0; i < last->access_count; i++) {
        const Access *access = &probe->accesses[last->first_access + i];
        if (access->order == ORDER_STRONG || access->mode == MODE_NONE)
            continue;
        *value = access->after;
        return true;
    }
    return false;
}

/* Sets what r does when it reads from the event; false if the event cannot be executed there. */
static bool decide_read(GraphVisit *visit, GraphEvent *r, const GraphEvent *event, bool known)
{
    int64_t value;
    const Access *own = graph_weak_access(&visit->graph, r->position);
    if (!r->guarded && own->role != ROLE_SWITCH)
        return true;
    if (!written_value(visit, event, known, &value))
        return false;
    graph_decide(&visit->graph, r, value);
    if (own->role == ROLE_GUARD) {
        r->frozen = !access_condition_holds(own, value);
        r->kind = own->mode == MODE_READ || r->frozen ? GRAPH_READ : GRAPH_UPDATE; /* what waits writes nothing */
    }
    return true;
}

/* The event is in `other` already; r follows. */
static void follow(GraphVisit *visit, const GraphEvent *event, uint32_t r, bool known)
{
    Graph *other = &visit->other;
    GraphEvent read = visit->graph.events.items[r];
    uint32_t number = other->events.count - 1;
    if (!decide_read(visit, &read, event, known))
        return;
    read.previous = renamed(visit, read.previous);
    read.source = number;
    read.planned = 1; /* further choices are free */
    graph_add(other, read, number);
    visit_push(visit, other, number, graph_is_write(&read));
    if (read.frozen || !graph_is_weak(&read) || !graph_fail(&visit->graph, &read))
        return;
    read.planned = 2;
    graph_pop(other);
    graph_add(other, read, number);
    visit_push(visit, other, number, false);
}

static void revisit(GraphVisit *visit, const GraphEvent *event, uint32_t r, bool known)
{
    if (!take_away(visit, r))
        return;
    uint32_t places = event->kind == GRAPH_WRITE ? writes_kept(visit, event->location) : 0;
    for (uint32_t place = 0; place <= places; place++) {
        begin_other(visit, event, visit->graph.events.items[r].rank, place);
        follow(visit, event, r, known);
    }
}

void revisit_all(GraphVisit *visit, const GraphEvent *event, bool known)
{
    const Graph *graph = &visit->graph;
    find_needed(visit, event);
    for (uint32_t r = 0; r < graph->events.count; r++) {
        const GraphEvent *read = &graph->events.items[r];
        if (read->location == event->location && graph_is_read(read) && !visit_needs(visit, r))
            revisit(visit, event, r, known);
    }
}
