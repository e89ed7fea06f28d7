/* standstill.c - see standstill.h
 *
 * Design: the waits of the state are a graph of tasks. A chain of waits once along the cycle must begin at a task that
 * the end of the chain reaches: then it is part of a closed walk (DL-5).
 */
#include "deadlock/standstill.h"

#include <stdlib.h>

#include "abs/run/guard.h"

static bool has_condition(const Snapshot *s, const ModelCycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++)
        if (s->analysis->graph->waits.items[cycle->steps[i].wait].condition)
            return true;
    return false;
}

static uint32_t count_of(const Snapshot *s) { return s->waits.count + s->hopes.count; }

static const WaitView *view_of(const Snapshot *s, uint32_t number)
{
    return number < s->waits.count ? &s->waits.items[number] : &s->hopes.items[number - s->waits.count];
}

/* A condition that holds keeps its task from nothing. */
static bool is_waited(const Snapshot *s, Machine *machine, uint32_t number)
{
    return number < s->waits.count || !guard_holds_now(machine, &machine->tasks[view_of(s, number)->task], NULL);
}

/* Does the wait continue a chain that has come to this task: is it by the task itself, or by the holder of its cog? */
static bool continues(const Snapshot *s, const WaitView *view, AgentId task, uint32_t cog, bool by_cog)
{
    return by_cog ? view->cog == cog && view->task != task && s->analysis->graph->waits.items[view->wait].blocks
                  : view->task == task;
}

/* Marks the tasks that are reached from one, itself included. */
static void mark_reached(const Snapshot *s, Machine *machine, AgentId task, uint32_t cog, bool *reached)
{
    if (reached[task])
        return;
    reached[task] = true;
    for (uint32_t i = 0; i < count_of(s); i++) {
        const WaitView *view = view_of(s, i);
        if (!is_waited(s, machine, i))
            continue;
        if (continues(s, view, task, cog, false))
            mark_reached(s, machine, view->wanted, view->wanted_cog, reached);
        else if (continues(s, view, task, cog, true))
            mark_reached(s, machine, view->task, view->cog, reached);
    }
}

static bool follow(const Snapshot *s, Machine *machine, const ModelCycle *cycle, uint32_t step, const WaitView *last,
                   AgentId first)
{
    if (step == cycle->count) {
        bool *reached = mem_alloc(machine->task_count + 1u);
        mark_reached(s, machine, last->wanted, last->wanted_cog, reached);
        bool closed = reached[first];
        free(reached);
        return closed;
    }
    for (uint32_t i = 0; i < count_of(s); i++) {
        const WaitView *view = view_of(s, i);
        if (view->wait == cycle->steps[step].wait && is_waited(s, machine, i) &&
            (!last || continues(s, view, last->wanted, last->wanted_cog, cycle->steps[step].by_cog)) &&
            follow(s, machine, cycle, step + 1, view, last ? first : view->task))
            return true;
    }
    return false;
}

bool standstill_along(const Snapshot *s, Machine *machine, const ModelCycle *cycle)
{
    return !s->unknown && has_condition(s, cycle) && follow(s, machine, cycle, 0, NULL, AGENT_NONE);
}
