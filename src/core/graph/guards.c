/* guards.c - what a strong step does in a context in which it was not executed, from recorded values
 *
 * The context are the events that are needed (visit_needs). They would be executed again as they were, since they are
 * closed under what they need: so the value of a resource follows from what they did to it.
 */
#include "core/graph/visit.h"
#include "core/program.h"

static bool is_same_resource(const Access *a, const Access *b)
{
    return a->mode != MODE_NONE && a->resource == b->resource;
}

/* The value of what `own` accesses: the initial one, which the first access of each lane found, and the changes of the
 * context in their order. */
static int64_t value_in_context(const GraphVisit *visit, const Access *own)
{
    const Graph *graph = &visit->graph;
    uint64_t word = lanes_place(own->before, own->lanes);
    uint8_t known = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        uint32_t count;
        const Access *accesses = graph_accesses(graph, graph->events.items[e].position, &count);
        if (graph->events.items[e].kind != GRAPH_STRONG)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            if (!is_same_resource(&accesses[i], own))
                continue;
            uint64_t mask = lanes_mask((uint8_t)(accesses[i].lanes & ~known));
            word = (word & ~mask) | (lanes_place(accesses[i].before, accesses[i].lanes) & mask);
            known |= accesses[i].lanes;
            if (visit_needs(visit, e))
                word = access_apply(word, &accesses[i], (Mode)accesses[i].mode);
        }
    }
    return lanes_value(word, own->lanes);
}

/* Guards that only the program can evaluate are evaluated last, with all values at once. */
static bool enabled_in_context(GraphVisit *visit, uint32_t position)
{
    uint32_t count;
    uint64_t guard = 0;
    bool any = false, all = true, guarded = false;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    visit->values.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].role != ROLE_GUARD || accesses[i].mode == MODE_NONE)
            continue;
        int64_t value = value_in_context(visit, &accesses[i]);
        bool holds = access_condition_holds(&accesses[i], value);
        if (accesses[i].relation == REL_PROGRAM) {
            guard = (uint64_t)accesses[i].operand;
            VEC_PUSH(&visit->values, value);
        }
        guarded = true;
        any = any || holds;
        all = all && holds;
    }
    Program *program = visit->search->program;
    if (visit->values.count && all)
        return program->ops->guard_holds(program, guard, visit->values.items, visit->values.count);
    return !guarded || (graph_flags(&visit->graph, position) & EVENT_GUARD_ANY ? any : all);
}

/* May it access other resources than those recorded? */
static bool must_be_run(const GraphVisit *visit, uint32_t position)
{
    uint32_t count;
    const Choice *choices;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    uint16_t flags = graph_flags(&visit->graph, position);
    if (flags & EVENT_RERUN)
        return true;
    if (!(flags & EVENT_OPAQUE))
        return false;
    if (position >= BLOCKED_STEP || graph_choices(&visit->graph, position, &choices) > 0)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (accesses[i].mode != MODE_NONE && value_in_context(visit, &accesses[i]) != accesses[i].before)
            return true;
    return false;
}

InContext guards_resolve(GraphVisit *visit, uint32_t position, Touches *touches)
{
    uint32_t count;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    bool enabled = enabled_in_context(visit, position);
    if (enabled && must_be_run(visit, position))
        return CONTEXT_UNKNOWN;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].mode == MODE_NONE && accesses[i].role != ROLE_SWITCH)
            continue;
        Touch touch = touch_of(&accesses[i]);
        if (enabled && accesses[i].role == ROLE_SWITCH) {
            bool holds = access_condition_holds(&accesses[i], value_in_context(visit, &accesses[i]));
            touch.mode = holds ? accesses[i].mode_then : accesses[i].mode_else;
        }
        VEC_PUSH(touches, touch);
    }
    return enabled ? CONTEXT_KNOWN : CONTEXT_DISABLED;
}
