/* constraint.c - see constraint.h
 *
 * Design: one round is a chain, so it suffices to propagate the tasks and cogs that the chain may have reached.
 */
#include "deadlock/constraint.h"

#include "deadlock/bits.h"

enum { MOST_ENDS = 512 };

/* Where a chain may end. */
typedef struct Ends {
    bool anything;     /* a task that does not exist yet             */
    uint32_t count;
    AgentId tasks[MOST_ENDS];
    uint32_t cogs[MOST_ENDS];
} Ends;

static bool accepts(const Ends *ends, bool by_cog, AgentId task, uint32_t cog)
{
    if (ends->anything)
        return true;
    for (uint32_t i = 0; i < ends->count; i++)
        if (by_cog ? ends->cogs[i] == cog : ends->tasks[i] == task)
            return true;
    return false;
}

static void add_end(Ends *ends, AgentId task, uint32_t cog)
{
    if (ends->count == MOST_ENDS) {
        ends->anything = true;
        return;
    }
    ends->tasks[ends->count] = task;
    ends->cogs[ends->count++] = cog;
}

/* May the wait still occur, as the next link after these ends? */
static bool may_come(const Snapshot *s, uint32_t wait, bool by_cog, const Ends *from)
{
    if (bits_has(s->startable, s->analysis->graph->waits.items[wait].task))
        return true;
    for (uint32_t i = 0; i < s->tasks.count; i++) {
        const TaskView *view = &s->tasks.items[i];
        if (!view->lost && bits_has(view->waits, wait) && accepts(from, by_cog, view->id, view->cog))
            return true;
    }
    return false;
}

/* Does a task wait there for a condition? Whoever could make it true may still come. */
static bool hopes_there(const Snapshot *s, uint32_t wait, bool by_cog, const Ends *from)
{
    const WaitEdge *edge = &s->analysis->graph->waits.items[wait];
    for (uint32_t i = 0; edge->condition && i < s->tasks.count; i++) {
        const TaskView *view = &s->tasks.items[i];
        if (!view->lost && view->abstract == edge->task && accepts(from, by_cog, view->id, view->cog))
            return true;
    }
    return false;
}

static bool take_step(const Snapshot *s, const CycleStep *step, bool by_cog, const Ends *from, Ends *to)
{
    to->count = 0;
    to->anything = may_come(s, step->wait, by_cog, from) || hopes_there(s, step->wait, by_cog, from);
    for (uint32_t i = 0; i < s->waits.count && !to->anything; i++) {
        const WaitView *view = &s->waits.items[i];
        if (!view->lost && view->wait == step->wait && accepts(from, by_cog, view->task, view->cog))
            add_end(to, view->wanted, view->wanted_cog);
    }
    return to->anything || to->count > 0;
}

bool constraint_satisfiable(const Snapshot *s, const ModelCycle *cycle)
{
    Ends ends[2];
    if (s->unknown)
        return true;
    for (uint32_t start = 0; start < cycle->count; start++) {
        uint32_t step = 0;
        ends[0].anything = true;
        ends[0].count = 0;
        while (step < cycle->count) {
            const CycleStep *next = &cycle->steps[(start + step) % cycle->count];
            if (!take_step(s, next, next->by_cog, &ends[step % 2], &ends[(step + 1) % 2]))
                break;
            step++;
        }
        if (step == cycle->count)
            return true;
    }
    return false;
}
