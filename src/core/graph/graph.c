/* graph.c - see graph.h */
#include "core/graph/graph.h"

#include <string.h>

/* ---- Lifecycle -------------------------------------------------------- */

void graph_init(Graph *graph) { memset(graph, 0, sizeof *graph); }

void graph_release(Graph *graph)
{
    for (uint32_t i = 0; i < graph->locations.count; i++)
        VEC_FREE(&graph->locations.items[i].coherence);
    VEC_FREE(&graph->locations);
    VEC_FREE(&graph->events);
    VEC_FREE(&graph->last);
    VEC_FREE(&graph->overtaken);
    VEC_FREE(&graph->touches);
    free(graph->clocks);
}

/* Clocks of events that stay are copied. */
static void reserve_clocks(Graph *graph, uint32_t agents, uint32_t fresh)
{
    size_t block = (size_t)CLOCK_COUNT * agents;
    if (graph->clock_room >= fresh && graph->agents == agents)
        return;
    uint32_t room = graph->clock_room < fresh ? 2 * fresh : graph->clock_room;
    uint32_t *clocks = mem_alloc(room * block * sizeof *clocks + 1);
    if (graph->clock_count)
        memcpy(clocks, graph->clocks, graph->clock_count * block * sizeof *clocks);
    for (uint32_t e = 0; e < graph->clock_count; e++)
        graph->events.items[e].clocks = clocks + e * block;
    free(graph->clocks);
    graph->clocks = clocks;
    graph->clock_room = room;
    graph->agents = agents;
}

void graph_start(Graph *graph, const Execution *ex, uint32_t agents, uint32_t fresh)
{
    graph->ex = ex;
    graph->events.count = 0;
    graph->overtaken.count = graph->touches.count = 0;
    graph->location_count = 0;
    graph->last.count = 0;
    VEC_RESERVE(&graph->last, agents);
    for (uint32_t i = 0; i < agents; i++)
        VEC_PUSH(&graph->last, GRAPH_NONE);
    graph->clock_count = 0;
    reserve_clocks(graph, agents, fresh);
}

/* ---- Locations -------------------------------------------------------- */

static uint32_t add_location(Graph *graph, uint64_t resource, uint8_t lanes)
{
    if (graph->location_count == graph->locations.count)
        VEC_PUSH(&graph->locations, (GraphLocation){0});
    GraphLocation *location = &graph->locations.items[graph->location_count];
    location->resource = resource;
    location->lanes = lanes;
    location->first = GRAPH_NONE;
    location->coherence.count = 0;
    return graph->location_count++;
}

/* Adds the location if it is new. */
static uint32_t find_location(Graph *graph, uint64_t resource, uint8_t lanes)
{
    for (uint32_t i = 0; i < graph->location_count; i++) {
        const GraphLocation *location = &graph->locations.items[i];
        if (location->resource == resource && location->lanes == lanes)
            return i;
    }
    return add_location(graph, resource, lanes);
}

uint32_t graph_last_write(const Graph *graph, uint32_t location)
{
    return graph_write_at(graph, location, graph_writes(graph, location));
}

int64_t graph_value(const Graph *graph, uint32_t location, uint32_t write)
{
    uint32_t first = graph->locations.items[location].first;
    if (write != GRAPH_INITIAL)
        return graph_weak_access(graph, graph->events.items[write].position)->after;
    return first == GRAPH_NONE ? 0 : graph_weak_access(graph, first)->before;
}

/* ---- Steps ------------------------------------------------------------ */

void graph_decide(const Graph *graph, GraphEvent *event, int64_t value)
{
    const Access *access = graph_weak_access(graph, event->position);
    if (access->role != ROLE_SWITCH)
        return;
    bool holds = access_condition_holds(access, value) && !event->fails;
    Mode mode = (Mode)(holds ? access->mode_then : access->mode_else);
    event->kind = mode == MODE_READ ? GRAPH_READ : GRAPH_UPDATE;
    event->order = access_order(access, holds);
}

bool graph_fail(const Graph *graph, GraphEvent *event)
{
    const Access *access = graph_weak_access(graph, event->position);
    if (event->kind != GRAPH_UPDATE || access->role != ROLE_SWITCH || !(access->order & ORDER_MAY_FAIL))
        return false;
    event->fails = true;
    event->kind = GRAPH_READ;
    event->order = access_order(access, false);
    return true;
}

/* Did the step fail for no reason? */
static bool has_failed(const Graph *graph, uint32_t position, const Access *access)
{
    const Choice *choices;
    return access->role == ROLE_SWITCH && access->order & ORDER_MAY_FAIL &&
           graph_choices(graph, position, &choices) > 1 && choices[1].taken == 1;
}

static void describe_weak(Graph *graph, GraphEvent *event, const Access *access)
{
    event->order = access_order(access, true);
    if (access->mode == MODE_NONE) {
        event->kind = GRAPH_FENCE;
        return;
    }
    uint32_t location = find_location(graph, access->resource, access->lanes);
    if (graph->locations.items[location].first == GRAPH_NONE && event->position < BLOCKED_STEP)
        graph->locations.items[location].first = event->position; /* a blocked step knows only the last value */
    event->location = location;
    event->guarded = access->role == ROLE_GUARD;
    event->locked = access->order & ORDER_UPDATES;
    event->fails = has_failed(graph, event->position, access);
    event->kind = access->mode == MODE_READ ? GRAPH_READ : access->order & ORDER_UPDATES ? GRAPH_UPDATE : GRAPH_WRITE;
}

static void describe_strong(GraphEvent *event, const Access *accesses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].mode == MODE_NONE)
            continue;
        event->kind = GRAPH_STRONG;
        event->guarded = event->guarded || accesses[i].role == ROLE_GUARD;
    }
    if (event->quiet)
        event->kind = GRAPH_STRONG;
}

/* The step that created an agent; GRAPH_NONE for the first one. */
static uint32_t creation_of(const Graph *graph, AgentId agent)
{
    AgentId creator;
    uint32_t step;
    if (!execution_creation(graph->ex, agent, &creator, &step))
        return GRAPH_NONE;
    for (uint32_t e = graph->last.items[creator]; e != GRAPH_NONE; e = graph->events.items[e].previous)
        if (graph->events.items[e].agent == creator && graph->events.items[e].index == step)
            return e;
    return GRAPH_NONE;
}

static bool creates_agent(const Execution *ex, AgentId agent, uint32_t index)
{
    for (AgentId other = 0; other < ex->agent_count; other++)
        if (execution_created_in(ex, other, agent, index))
            return true;
    return false;
}

GraphEvent graph_describe(Graph *graph, uint32_t position)
{
    const Execution *ex = graph->ex;
    bool blocked = position >= BLOCKED_STEP;
    AgentId agent = blocked ? ex->blocked[position - BLOCKED_STEP].agent : ex->events[position].agent;
    GraphEvent event = {.agent = agent, .position = position, .location = GRAPH_NONE, .source = GRAPH_NONE,
                        .planned = UINT16_MAX, .overtook = GRAPH_NONE};
    event.index = blocked ? ex->agents[agent].steps : ex->events[position].index;
    event.creates = creates_agent(ex, agent, event.index);
    event.previous = event.index > 0 ? graph->last.items[agent] : creation_of(graph, agent);
    uint32_t count;
    const Access *accesses = graph_accesses(graph, position, &count), *weak = graph_weak_access(graph, position);
    event.quiet = graph_flags(graph, position) & EVENT_QUIET;
    if (weak)
        describe_weak(graph, &event, weak);
    else
        describe_strong(&event, accesses, count);
    event.locations = graph->location_count;
    return event;
}

GraphEvent graph_describe_wait(const Graph *graph, AgentId agent, const Access *guard)
{
    uint32_t index = graph->ex->agents[agent].steps;
    GraphEvent event = {.agent = agent, .index = index, .location = GRAPH_NONE, .source = GRAPH_NONE, .guarded = true,
                        .planned = UINT16_MAX, .order = access_order(guard, true), .overtook = GRAPH_NONE};
    event.kind = guard->mode == MODE_READ ? GRAPH_READ : GRAPH_UPDATE;
    event.previous = index > 0 ? graph->last.items[agent] : creation_of(graph, agent);
    for (uint32_t i = 0; i < graph->location_count; i++) {
        const GraphLocation *location = &graph->locations.items[i];
        if (location->resource == guard->resource && location->lanes == guard->lanes)
            event.location = i;
    }
    return event;
}

/* ---- Adding events ------------------------------------------------------ */

static bool acquires(unsigned order) { return order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL; }
static bool releases(unsigned order) { return order >= ORDER_RELEASE; }

/* Clocks of an event under construction. */
static uint32_t *part(const Graph *graph, const GraphEvent *event, unsigned which)
{
    return event->clocks + (size_t)which * graph->agents;
}

static void inherit(const Graph *graph, GraphEvent *event)
{
    size_t agents = graph->agents;
    memset(event->clocks, 0, CLOCK_COUNT * agents * sizeof *event->clocks);
    if (event->previous != GRAPH_NONE) {
        bool same = graph->events.items[event->previous].agent == event->agent;
        size_t parts = same ? CLOCK_FENCED + 1 : CLOCK_HB + 1; /* a new agent has not read or fenced anything */
        memcpy(event->clocks, graph->events.items[event->previous].clocks, parts * agents * sizeof *event->clocks);
    }
    part(graph, event, CLOCK_NEEDED)[event->agent] = event->index + 1;
    part(graph, event, CLOCK_HB)[event->agent] = event->index + 1;
}

static void read_clocks(const Graph *graph, GraphEvent *event)
{
    if (event->source == GRAPH_INITIAL)
        return;
    clock_join(part(graph, event, CLOCK_NEEDED), graph_clock(graph, event->source, CLOCK_NEEDED), graph->agents);
    unsigned into = acquires(event->order) ? CLOCK_HB : CLOCK_SEEN;
    clock_join(part(graph, event, into), graph_clock(graph, event->source, CLOCK_RELEASED), graph->agents);
}

/* The write of the same agent to the same location before it, or GRAPH_NONE. */
static uint32_t own_write_before(const Graph *graph, const GraphEvent *event)
{
    for (uint32_t e = event->index > 0 ? event->previous : GRAPH_NONE; e != GRAPH_NONE;) {
        const GraphEvent *earlier = &graph->events.items[e];
        if (earlier->location == event->location && graph_is_write(earlier))
            return e;
        e = earlier->index > 0 ? earlier->previous : GRAPH_NONE;
    }
    return GRAPH_NONE;
}

/* Release sequences: a write carries what its agent released with this location before (as in C11); an update also
 * what the write that it reads carries. */
static void write_clocks(const Graph *graph, GraphEvent *event)
{
    uint32_t *own = part(graph, event, CLOCK_OWN), *released = part(graph, event, CLOCK_RELEASED);
    uint32_t before = own_write_before(graph, event);
    clock_join(own, part(graph, event, releases(event->order) ? CLOCK_HB : CLOCK_FENCED), graph->agents);
    if (before != GRAPH_NONE)
        clock_join(own, graph_clock(graph, before, CLOCK_OWN), graph->agents);
    memcpy(released, own, graph->agents * sizeof *own);
    if (event->kind == GRAPH_UPDATE && event->source != GRAPH_INITIAL)
        clock_join(released, graph_clock(graph, event->source, CLOCK_RELEASED), graph->agents);
}

static void fence_clocks(const Graph *graph, GraphEvent *event)
{
    if (acquires(event->order))
        clock_join(part(graph, event, CLOCK_HB), part(graph, event, CLOCK_SEEN), graph->agents);
    if (releases(event->order))
        memcpy(part(graph, event, CLOCK_FENCED), part(graph, event, CLOCK_HB), graph->agents * sizeof(uint32_t));
}

static bool accesses_clash(const Access *a, uint32_t a_count, const Access *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (accesses_conflict(&a[i], &b[k]))
                return true;
    return false;
}

bool graph_is_before(const Graph *graph, uint32_t a, uint32_t b)
{
    const GraphEvent *one = &graph->events.items[a], *two = &graph->events.items[b];
    uint32_t count, other_count;
    if (a >= b || two->kind != GRAPH_STRONG || (one->kind != GRAPH_STRONG && !two->quiet))
        return false;
    const Access *accesses = graph_accesses(graph, two->position, &count);
    const Access *others = graph_accesses(graph, one->position, &other_count);
    return two->quiet || accesses_clash(accesses, count, others, other_count);
}

/* Does a step acquire from a resource that an earlier one released into (WEAK-5)? */
static bool synchronise(const Access *from, uint32_t from_count, const Access *to, uint32_t to_count)
{
    for (uint32_t i = 0; i < from_count; i++)
        for (uint32_t k = 0; k < to_count; k++)
            if (from[i].mode == MODE_NONE && from[i].order == ORDER_RELEASE && to[k].mode == MODE_NONE &&
                to[k].order == ORDER_ACQUIRE && from[i].resource == to[k].resource)
                return true;
    return false;
}

/* It comes behind all strong steps that it conflicts with; a quiet one behind everything, which happens before it. */
static void strong_clocks(const Graph *graph, GraphEvent *event)
{
    uint32_t count, other_count;
    const Access *accesses = graph_accesses(graph, event->position, &count);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *earlier = &graph->events.items[e];
        if (earlier->kind != GRAPH_STRONG && !event->quiet)
            continue;
        const Access *others = graph_accesses(graph, earlier->position, &other_count);
        bool clash = accesses_clash(accesses, count, others, other_count);
        if (clash || event->quiet)
            clock_join(part(graph, event, CLOCK_NEEDED), graph_clock(graph, e, CLOCK_NEEDED), graph->agents);
        if (event->quiet || (clash && synchronise(others, other_count, accesses, count)))
            clock_join(part(graph, event, CLOCK_HB), graph_clock(graph, e, CLOCK_HB), graph->agents);
    }
}

bool graph_conflicts(const Graph *graph, uint32_t e, const Touch *touches, uint32_t count)
{
    uint32_t own_count;
    const Access *own = graph_accesses(graph, graph->events.items[e].position, &own_count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < own_count; k++)
            if (touches[i].resource == own[k].resource && (touches[i].lanes & own[k].lanes) &&
                modes_conflict((Mode)touches[i].mode, (Mode)own[k].mode))
                return true;
    return false;
}

void graph_add_touches(const Graph *graph, uint32_t position, Touches *into)
{
    uint32_t count;
    const Access *accesses = graph_accesses(graph, position, &count);
    for (uint32_t i = 0; i < count; i++)
        if (accesses[i].mode != MODE_NONE)
            VEC_PUSH(into, touch_of(&accesses[i]));
}

static void set_clocks(Graph *graph, GraphEvent *event)
{
    event->clocks = graph->clocks + (size_t)graph->clock_count++ * CLOCK_COUNT * graph->agents;
    inherit(graph, event);
    if (graph_is_read(event))
        read_clocks(graph, event);
    switch ((GraphKind)event->kind) {
    case GRAPH_WRITE:
    case GRAPH_UPDATE: write_clocks(graph, event); break;
    case GRAPH_FENCE: fence_clocks(graph, event); break;
    case GRAPH_STRONG: strong_clocks(graph, event); break;
    case GRAPH_LOCAL:
    case GRAPH_READ: break;
    }
}

static void place_write(Graph *graph, uint32_t location, uint32_t write, uint32_t place)
{
    GraphLocation *at = &graph->locations.items[location];
    VEC_PUSH(&at->coherence, write);
    uint32_t *items = at->coherence.items;
    memmove(&items[place], &items[place - 1], (at->coherence.count - place) * sizeof *items);
    items[place - 1] = write;
    for (uint32_t i = place - 1; i < at->coherence.count; i++)
        graph->events.items[items[i]].place = i + 1;
}

uint32_t graph_add(Graph *graph, GraphEvent event, uint32_t behind)
{
    uint32_t number = graph->events.count;
    set_clocks(graph, &event);
    VEC_PUSH(&graph->events, event);
    graph->last.items[event.agent] = number;
    if (graph_is_write(&event))
        place_write(graph, event.location, number, graph_place(graph, behind) + 1);
    return number;
}

uint32_t graph_set_source(const Graph *graph, GraphEvent *event)
{
    const Execution *ex = graph->ex;
    uint32_t behind = GRAPH_NONE;
    if (graph_is_weak(event)) {
        uint32_t newer = ex->choices[ex->events[event->position].first_choice].taken;
        behind = graph_write_at(graph, event->location, graph_writes(graph, event->location) - newer);
        if (event->kind != GRAPH_WRITE) {
            event->source = behind;
            graph_decide(graph, event, graph_value(graph, event->location, behind));
        }
    }
    return behind;
}

void graph_pop(Graph *graph)
{
    const GraphEvent *event = &graph->events.items[--graph->events.count];
    graph->clock_count--;
    graph->last.items[event->agent] = event->index > 0 ? event->previous : GRAPH_NONE;
    if (!graph_is_write(event))
        return;
    GraphLocation *at = &graph->locations.items[event->location];
    uint32_t *items = at->coherence.items;
    at->coherence.count--;
    memmove(&items[event->place - 1], &items[event->place], (at->coherence.count - event->place + 1) * sizeof *items);
    for (uint32_t i = event->place - 1; i < at->coherence.count; i++)
        graph->events.items[items[i]].place = i + 1;
}

void graph_rewind(Graph *graph, uint32_t count, uint32_t fresh)
{
    while (graph->events.count > count)
        graph_pop(graph);
    graph->location_count = count ? graph->events.items[count - 1].locations : 0;
    graph->overtaken.count = graph->touches.count = 0;
    for (uint32_t e = 0; e < count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->overtook == GRAPH_NONE)
            continue;
        const Overtaken *overtaken = &graph->overtaken.items[event->overtook];
        graph->overtaken.count = event->overtook + 1;
        graph->touches.count = overtaken->first_touch + overtaken->touch_count;
    }
    reserve_clocks(graph, graph->agents, fresh);
}

/* ---- Parts of graphs ------------------------------------------------------ */

static uint32_t renamed(uint32_t event, const uint32_t *names)
{
    return event >= GRAPH_INITIAL ? event : names[event];
}

static void copy_locations(Graph *graph, const Graph *from, const bool *keep, const uint32_t *names)
{
    for (uint32_t i = 0; i < from->location_count; i++) {
        const GraphLocation *old = &from->locations.items[i];
        uint32_t number = add_location(graph, old->resource, old->lanes);
        GraphLocation *location = &graph->locations.items[number];
        location->first = old->first;
        for (uint32_t w = 0; w < old->coherence.count; w++)
            if (keep[old->coherence.items[w]]) {
                VEC_PUSH(&location->coherence, names[old->coherence.items[w]]);
                graph->events.items[names[old->coherence.items[w]]].place = location->coherence.count;
            }
    }
}

/* What an event that stays has overtaken, unless something before that goes away. */
static uint32_t copy_overtaken(Graph *graph, const Graph *from, uint32_t overtook, uint32_t rank)
{
    if (overtook == GRAPH_NONE || from->overtaken.items[overtook].rank > rank)
        return GRAPH_NONE;
    Overtaken copy = from->overtaken.items[overtook];
    uint32_t first = graph->touches.count;
    for (uint32_t i = 0; i < copy.touch_count; i++)
        VEC_PUSH(&graph->touches, from->touches.items[copy.first_touch + i]);
    copy.first_touch = first;
    VEC_PUSH(&graph->overtaken, copy);
    return graph->overtaken.count - 1;
}

void graph_restrict(Graph *graph, const Graph *from, const bool *keep, uint32_t rank, uint32_t *names, uint32_t fresh)
{
    graph_start(graph, from->ex, from->agents, fresh);
    for (uint32_t e = 0; e < from->events.count; e++) {
        if (!keep[e])
            continue;
        GraphEvent event = from->events.items[e];
        names[e] = graph->events.count;
        event.previous = renamed(event.previous, names);
        event.source = renamed(event.source, names);
        event.overtook = copy_overtaken(graph, from, event.overtook, rank);
        VEC_PUSH(&graph->events, event);
        graph->last.items[event.agent] = names[e];
    }
    copy_locations(graph, from, keep, names);
}
