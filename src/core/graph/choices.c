/* choices.c - see choices.h */
#include "core/graph/choices.h"

#include "core/program.h"

enum { FIRST_ROOM = 64 };

void weakchoices_init(WeakChoices *choices, MemoryModel memory)
{
    *choices = (WeakChoices){.memory = memory};
    graph_init(&choices->graph);
}

void weakchoices_release(WeakChoices *choices)
{
    graph_release(&choices->graph);
    model_release(&choices->scratch);
}

/* Nothing is there yet; follow() makes room. */
void weakchoices_begin(WeakChoices *choices)
{
    choices->graph.agents = 0;
    choices->graph.events.count = 0;
}

/* ---- The graph so far ----------------------------------------------------- */

/* Room for twice as many events. */
static void start(WeakChoices *choices, const Execution *ex)
{
    Graph *graph = &choices->graph;
    uint32_t room = FIRST_ROOM + 2 * ex->event_count;
    graph_start(graph, ex, ex->agent_count, room > graph->clock_room ? room : graph->clock_room);
}

static void add(Graph *graph, uint32_t position)
{
    GraphEvent event = graph_describe(graph, position);
    event.rank = position;
    uint32_t behind = graph_set_source(graph, &event);
    graph_add(graph, event, behind);
}

/* The first `count` events of the execution. The graph is made again if agents are new or if there is no room. */
static void follow(WeakChoices *choices, const Execution *ex, uint32_t count)
{
    Graph *graph = &choices->graph;
    if (graph->agents != ex->agent_count || graph->clock_count + count - graph->events.count >= graph->clock_room)
        start(choices, ex);
    for (uint32_t i = graph->events.count; i < count; i++)
        add(graph, i);
}

static bool is_consistent_with(WeakChoices *choices, GraphEvent event, uint32_t behind)
{
    Graph *graph = &choices->graph;
    uint32_t number = graph_add(graph, event, behind);
    bool consistent = model_consistent(graph, choices->memory, number, &choices->scratch);
    graph_pop(graph);
    return consistent;
}

/* The event reads the write at a place, or is placed behind it. */
static bool is_possible(WeakChoices *choices, GraphEvent event, const Access *access, uint32_t place)
{
    const Graph *graph = &choices->graph;
    uint32_t write = graph_write_at(graph, event.location, place);
    if (event.kind != GRAPH_WRITE) {
        int64_t value = graph_value(graph, event.location, write);
        if (event.guarded && !access_condition_holds(access, value))
            return false;
        event.source = write;
        if (access->role == ROLE_SWITCH)
            graph_decide(graph, &event, value);
    }
    return is_consistent_with(choices, event, write);
}

/* ---- Choices ---------------------------------------------------------------- */

bool weakchoices_apply(const Execution *ex)
{
    if (ex->memory == MEMORY_SC || ex->event_count == 0)
        return false;
    const Event *event = &ex->events[ex->event_count - 1];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        if (access->order != ORDER_STRONG && access->mode != MODE_NONE)
            return event->choice_count == 0 || (event->choice_count == 1 && access->order & ORDER_MAY_FAIL);
    }
    return false;
}

/* The event reads the write at a place; is it consistent that it fails for no reason? */
static bool may_fail(WeakChoices *choices, GraphEvent event, uint32_t place)
{
    const Graph *graph = &choices->graph;
    if (event.kind == GRAPH_WRITE)
        return false;
    event.source = graph_write_at(graph, event.location, place);
    graph_decide(graph, &event, graph_value(graph, event.location, event.source));
    return graph_fail(graph, &event) && is_consistent_with(choices, event, GRAPH_NONE);
}

bool weakchoices_allow(WeakChoices *choices, const Execution *ex, uint32_t option)
{
    uint32_t position = ex->event_count - 1;
    const Event *step = &ex->events[position];
    bool second = step->choice_count == 1;
    follow(choices, ex, position);
    GraphEvent event = graph_describe(&choices->graph, position);
    uint32_t k = second ? ex->choices[step->first_choice].taken : option;
    uint32_t place = graph_writes(&choices->graph, event.location) - k;
    if (second && option == 1)
        return may_fail(choices, event, place);
    if (k == 0 && !event.guarded)
        return true;
    return is_possible(choices, event, graph_weak_access(&choices->graph, position), place) ||
           (!second && may_fail(choices, event, place));
}

int64_t weakchoices_write(WeakChoices *choices, const Execution *ex, uint32_t option, uint32_t *step)
{
    Graph *graph = &choices->graph;
    uint32_t position = ex->event_count - 1;
    follow(choices, ex, position);
    uint32_t location = graph_describe(graph, position).location;
    uint32_t write = graph_write_at(graph, location, graph_writes(graph, location) - option);
    *step = write == GRAPH_INITIAL ? UINT32_MAX : write;
    return graph_value(graph, location, write);
}

bool weakchoices_end_wait(WeakChoices *choices, const Execution *ex, AgentId agent)
{
    Program *program = ex->program;
    Access guard;
    if (ex->memory == MEMORY_SC || !program->ops->waits || !program->ops->waits(program, agent, &guard))
        return false;
    follow(choices, ex, ex->event_count);
    GraphEvent event = graph_describe_wait(&choices->graph, agent, &guard);
    uint32_t writes = event.location == GRAPH_NONE ? 0 : graph_writes(&choices->graph, event.location);
    for (uint32_t place = writes; place-- > 0;)
        if (is_possible(choices, event, &guard, place))
            return true;
    return false;
}
