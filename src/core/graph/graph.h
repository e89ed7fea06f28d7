/* graph.h - an execution as a graph: program order, reads-from and coherence
 *
 * The events stand in an order in which they can be run: each behind what it needs, that is, behind the event before
 * it in program order, the write it reads, and the strong steps that it conflicts with and that were taken before it.
 * `rank` is the order in which the search added them, which may differ (docs/design/graphs.md).
 */
#ifndef CORE_GRAPH_GRAPH_H
#define CORE_GRAPH_GRAPH_H

#include "base/vec.h"
#include "core/execution.h"
#include "core/label.h"

#define GRAPH_NONE UINT32_MAX           /* no event, no location            */
#define GRAPH_INITIAL (UINT32_MAX - 1)  /* the initial write of a location  */

typedef enum GraphKind {
    GRAPH_LOCAL,  /* accesses nothing: a decision on inputs, a fence of no order */
    GRAPH_READ,
    GRAPH_WRITE,
    GRAPH_UPDATE, /* reads and writes */
    GRAPH_FENCE,
    GRAPH_STRONG
} GraphKind;

/* Vector clocks of an event, each with a number per agent: how many of its steps ... */
enum {
    CLOCK_NEEDED,   /* it needs, itself included                                         */
    CLOCK_HB,       /* happen before it in the sense of C11, itself included             */
    CLOCK_SEEN,     /* an acquire fence behind it makes happen before                    */
    CLOCK_FENCED,   /* happened before the last release fence of its agent               */
    CLOCK_OWN,      /* its agent released with this location: the heads of release sequences */
    CLOCK_RELEASED, /* happen before whatever acquires by reading it                     */
    CLOCK_COUNT
};

typedef struct GraphEvent {
    AgentId agent;
    uint32_t index;      /* which step of its agent                                   */
    uint32_t previous;   /* the event before it in program order, or that created its agent */
    uint32_t location;   /* or GRAPH_NONE                                             */
    uint32_t source;     /* the event it reads, GRAPH_INITIAL, or GRAPH_NONE          */
    uint32_t place;      /* a write: its place in coherence order, from 1             */
    uint32_t rank;
    uint32_t position;   /* in the execution; of a step that is blocked: BLOCKED_STEP + its number */
    uint32_t *clocks;    /* CLOCK_COUNT times the number of agents                    */
    uint32_t locations;  /* how many were known when it was described                 */
    uint8_t kind;        /* GraphKind                                                 */
    uint8_t order;       /* Order                                                     */
    uint16_t planned;    /* how many of its choices stay as they were; the rest is free */
    bool creates;        /* an agent, at its end                                      */
    bool guarded;        /* enabled only with some values                             */
    bool locked;         /* may update: one instruction of x86, whether it does or not */
    bool fails;          /* a switch that only reads, although its condition holds    */
    bool frozen;         /* a read whose value does not let its agent continue: it waits,
                            the event was not executed                                */
    bool quiet;          /* EVENT_QUIET: it needs everything before it                */
    bool taken;          /* came before its turn: it is never taken away again        */
    uint32_t overtook;   /* which Overtaken of the graph, or GRAPH_NONE               */
} GraphEvent;

/* A strong step that another one has overtaken, as it was before (STRONG-4); or one that must wait for a step which it
 * conflicts with (STRONG-5). */
typedef struct Overtaken {
    AgentId agent;
    uint32_t index;
    uint32_t rank;        /* the rank that it had                       */
    uint32_t first_touch; /* what it accessed behind the events of smaller rank */
    uint32_t touch_count;
} Overtaken;

#define BLOCKED_STEP (1u << 31)

typedef VEC(Touch) Touches;

typedef struct GraphLocation {
    uint64_t resource;
    uint8_t lanes;
    uint32_t first;           /* the position of the first step on it that was executed, which shows its
                                 initial value, or GRAPH_NONE                          */
    VEC(uint32_t) coherence;  /* its writes, without the initial one                   */
} GraphLocation;

typedef struct Graph {
    const Execution *ex;      /* where the steps were executed: accesses, choices      */
    uint32_t agents;
    VEC(GraphEvent) events;
    VEC(Overtaken) overtaken;
    Touches touches;          /* of those that were overtaken                          */
    VEC(GraphLocation) locations; /* all have been initialised, `location_count` are in use */
    uint32_t location_count;
    VEC(uint32_t) last;       /* per agent: its last event                             */
    uint32_t *clocks;         /* room for `clock_room` events                          */
    uint32_t clock_room, clock_count;
} Graph;

/* ---- Steps ---------------------------------------------------------------- */

/* The accesses of a step, executed or blocked. */
static inline const Access *graph_accesses(const Graph *graph, uint32_t position, uint32_t *count)
{
    const Execution *ex = graph->ex;
    if (position >= BLOCKED_STEP) {
        const Blocked *blocked = &ex->blocked[position - BLOCKED_STEP];
        *count = blocked->access_count;
        return &ex->accesses[blocked->first_access];
    }
    *count = ex->events[position].access_count;
    return &ex->accesses[ex->events[position].first_access];
}

static inline uint16_t graph_flags(const Graph *graph, uint32_t position)
{
    const Execution *ex = graph->ex;
    return position >= BLOCKED_STEP ? ex->blocked[position - BLOCKED_STEP].flags : ex->events[position].flags;
}

/* The choices of a step; a blocked one has made none. */
static inline uint32_t graph_choices(const Graph *graph, uint32_t position, const Choice **choices)
{
    if (position >= BLOCKED_STEP)
        return 0;
    *choices = &graph->ex->choices[graph->ex->events[position].first_choice];
    return graph->ex->events[position].choice_count;
}

/* The access that makes it weak or a fence, or NULL. */
static inline const Access *graph_weak_access(const Graph *graph, uint32_t position)
{
    uint32_t count;
    const Access *accesses = graph_accesses(graph, position, &count);
    for (uint32_t i = 0; i < count; i++)
        if (accesses[i].order != ORDER_STRONG && (accesses[i].mode != MODE_NONE || accesses[i].resource == 0))
            return &accesses[i];
    return NULL;
}

/* ---- Graphs --------------------------------------------------------------- */

void graph_init(Graph *graph);
void graph_release(Graph *graph);

/* An empty graph for the steps of an execution with so many agents; room for the clocks of `fresh` events. */
void graph_start(Graph *graph, const Execution *ex, uint32_t agents, uint32_t fresh);
/* The events of another graph for which `keep` is true; they must be closed under what they need. `names` gets their
 * new numbers. All events before `rank` stay; what was overtaken later is forgotten. */
void graph_restrict(Graph *graph, const Graph *from, const bool *keep, uint32_t rank, uint32_t *names, uint32_t fresh);

/* The step at a position of the execution as the next event: its source, rank and clocks are not set. With a number
 * from BLOCKED_STEP on, the step of that blocked agent. */
GraphEvent graph_describe(Graph *graph, uint32_t position);
/* A weak step in which an agent waits, with this guard; its location is GRAPH_NONE if nothing has accessed it. */
GraphEvent graph_describe_wait(const Graph *graph, AgentId agent, const Access *guard);
/* Sets the kind and the order of a weak event that reads a value: whether it writes may depend on it. */
void graph_decide(const Graph *graph, GraphEvent *event, int64_t value);
/* Might the event, which is decided, have failed for no reason? Makes it one that did. */
bool graph_fail(const Graph *graph, GraphEvent *event);

/* Sets what the event, whose step was executed behind those in the graph, has read. Returns the write that it was
 * placed behind, GRAPH_NONE if it accesses nothing. */
uint32_t graph_set_source(const Graph *graph, GraphEvent *event);

/* Adds the event at the end. A write is placed behind `behind` in coherence order; a read has its source set. Returns
 * its number. */
uint32_t graph_add(Graph *graph, GraphEvent event, uint32_t behind);

/* Takes the last event away again. */
void graph_pop(Graph *graph);
/* Takes away all but the first `count` events, which were executed, and what is known of locations from the others;
 * then there is room for the clocks of `fresh` events in all. */
void graph_rewind(Graph *graph, uint32_t count, uint32_t fresh);

/* The last write of a location, or GRAPH_INITIAL. */
uint32_t graph_last_write(const Graph *graph, uint32_t location);
/* The place of a write in coherence order; 0 for the initial one. */
static inline uint32_t graph_place(const Graph *graph, uint32_t write)
{
    return write == GRAPH_INITIAL ? 0 : graph->events.items[write].place;
}
/* The write at a place. */
static inline uint32_t graph_write_at(const Graph *graph, uint32_t location, uint32_t place)
{
    return place == 0 ? GRAPH_INITIAL : graph->locations.items[location].coherence.items[place - 1];
}
/* The number of writes of a location. */
static inline uint32_t graph_writes(const Graph *graph, uint32_t location)
{
    return graph->locations.items[location].coherence.count;
}
/* The value that a write of a weak location wrote. */
int64_t graph_value(const Graph *graph, uint32_t location, uint32_t write);

static inline bool graph_is_write(const GraphEvent *event)
{
    return event->kind == GRAPH_WRITE || event->kind == GRAPH_UPDATE;
}
static inline bool graph_is_read(const GraphEvent *event)
{
    return event->kind == GRAPH_READ || event->kind == GRAPH_UPDATE;
}
/* An atomic operation on a location: its first choice is a write. */
static inline bool graph_is_weak(const GraphEvent *event)
{
    return event->kind == GRAPH_READ || event->kind == GRAPH_WRITE || event->kind == GRAPH_UPDATE;
}
static inline void clock_join(uint32_t *into, const uint32_t *from, uint32_t agents)
{
    for (uint32_t i = 0; i < agents; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}
static inline const uint32_t *graph_clock(const Graph *graph, uint32_t event, unsigned which)
{
    return graph->events.items[event].clocks + (size_t)which * graph->agents;
}
/* Does event a happen before event b, or is it b? */
static inline bool graph_happens_before(const Graph *graph, uint32_t a, uint32_t b)
{
    const GraphEvent *event = &graph->events.items[a];
    return graph_clock(graph, b, CLOCK_HB)[event->agent] > event->index;
}

/* Does event b need event a, or is it a? */
static inline bool graph_needs(const Graph *graph, uint32_t b, uint32_t a)
{
    const GraphEvent *event = &graph->events.items[a];
    return graph_clock(graph, b, CLOCK_NEEDED)[event->agent] > event->index;
}

/* Does event b come behind event a because the two conflict? */
bool graph_is_before(const Graph *graph, uint32_t a, uint32_t b);
/* Does the strong event conflict with a step that accesses this? */
bool graph_conflicts(const Graph *graph, uint32_t e, const Touch *touches, uint32_t count);
/* What the event accesses, added to `into`. */
void graph_add_touches(const Graph *graph, uint32_t position, Touches *into);

#endif
