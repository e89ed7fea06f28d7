/* guards.c - whether a strong step is enabled behind another one of its group, from recorded values
 *
 * The strong steps of a group are executed in their order, so that the values before and after each are those of its
 * resources at that point.
 */
#include "core/graph/visit.h"
#include "core/program.h"

typedef enum Found { FOUND_NOT, FOUND, FOUND_UNKNOWN } Found;

/* The access of a step to the resource of `wanted`. */
static Found find_access(const Access *accesses, uint32_t count, const Access *wanted, const Access **found)
{
    Found answer = FOUND_NOT;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].mode == MODE_NONE || accesses[i].resource != wanted->resource ||
            !(accesses[i].lanes & wanted->lanes))
            continue;
        *found = &accesses[i];
        answer = accesses[i].lanes == wanted->lanes && answer == FOUND_NOT ? FOUND : FOUND_UNKNOWN;
    }
    return answer;
}

/* The access of the step at a place of its group. */
static Found find_at(const Graph *graph, uint32_t location, uint32_t place, const Access *wanted, const Access **found)
{
    uint32_t count, step = graph_write_at(graph, location, place);
    const Access *accesses = graph_accesses(graph, graph->events.items[step].position, &count);
    return find_access(accesses, count, wanted, found);
}

/* The value of the resource of `wanted` behind the step `source`: what the last access before left, or the first one
 * after found. */
static Found value_behind(const GraphVisit *visit, uint32_t location, uint32_t source, const Access *wanted,
                          int64_t *value)
{
    const Graph *graph = &visit->graph;
    const Access *found;
    Found answer = FOUND_NOT;
    for (uint32_t p = graph_place(graph, source); p > 0 && answer == FOUND_NOT; p--)
        if ((answer = find_at(graph, location, p, wanted, &found)) != FOUND_NOT)
            *value = found->after;
    for (uint32_t p = graph_place(graph, source) + 1; p <= graph_writes(graph, location) && answer == FOUND_NOT; p++)
        if ((answer = find_at(graph, location, p, wanted, &found)) != FOUND_NOT)
            *value = found->before;
    return answer;
}

static uint32_t location_of(const GraphVisit *visit, const Access *access)
{
    const Graph *graph = &visit->graph;
    uint64_t group = groups_find(graph->groups, access->resource);
    for (uint32_t i = 0; i < graph->location_count; i++)
        if (graph->locations.items[i].strong && graph->locations.items[i].resource == group)
            return i;
    return GRAPH_NONE;
}

static uint16_t flags_of(const GraphVisit *visit, uint32_t position)
{
    const Execution *ex = visit->graph.ex;
    return position >= BLOCKED_STEP ? ex->blocked[position - BLOCKED_STEP].flags : ex->events[position].flags;
}

/* Guards, whose values are in `values`, in their order. */
static bool evaluate(GraphVisit *visit, uint32_t position)
{
    uint32_t count, nth = 0, asked = 0;
    uint64_t guard = 0;
    bool any = false, all = true;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    int64_t *values = visit->values.items;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].role != ROLE_GUARD || accesses[i].mode == MODE_NONE)
            continue;
        int64_t value = values[nth++];
        bool holds = access_condition_holds(&accesses[i], value);
        if (accesses[i].relation == REL_PROGRAM) {
            guard = (uint64_t)accesses[i].operand;
            values[asked++] = value;
        }
        any = any || holds;
        all = all && holds;
    }
    Program *program = visit->search->program;
    if (asked && all)
        return program->ops->guard_holds(program, guard, values, asked);
    return nth == 0 || (flags_of(visit, position) & EVENT_GUARD_ANY ? any : all);
}

bool guards_hold_behind(GraphVisit *visit, uint32_t position, uint32_t source, bool unknown)
{
    uint32_t count;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    visit->values.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = accesses[i].before;
        if (accesses[i].role != ROLE_GUARD || accesses[i].mode == MODE_NONE)
            continue;
        Found found = value_behind(visit, location_of(visit, &accesses[i]), source, &accesses[i], &value);
        if (found == FOUND_UNKNOWN)
            return unknown;
        VEC_PUSH(&visit->values, value);
    }
    return evaluate(visit, position);
}

bool guards_hold_after(GraphVisit *visit, uint32_t position, const Access *others, uint32_t other_count,
                       uint32_t source)
{
    uint32_t count;
    const Access *accesses = graph_accesses(&visit->graph, position, &count), *found;
    visit->values.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = accesses[i].before;
        if (accesses[i].role != ROLE_GUARD || accesses[i].mode == MODE_NONE)
            continue;
        if (find_access(others, other_count, &accesses[i], &found) != FOUND_NOT)
            value = found->after;
        else
            value_behind(visit, location_of(visit, &accesses[i]), source, &accesses[i], &value);
        VEC_PUSH(&visit->values, value);
    }
    return evaluate(visit, position);
}

bool guards_same_behind(GraphVisit *visit, uint32_t position, uint32_t source)
{
    uint32_t count;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    if (position >= BLOCKED_STEP)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = accesses[i].before;
        if (accesses[i].mode == MODE_NONE)
            continue;
        Found found = value_behind(visit, location_of(visit, &accesses[i]), source, &accesses[i], &value);
        if (found == FOUND_UNKNOWN || value != accesses[i].before)
            return false;
    }
    return true;
}
