/* alpha.c - see alpha.h */
#include "deadlock/alpha.h"

#include "abs/run/waitgraph.h"

uint32_t alpha_object(const Analysis *analysis, const Machine *machine, uint32_t number)
{
    const ModelObject *object = &machine->objects[number];
    if (!number)
        return 0;
    uint32_t creator = alpha_object(analysis, machine, object->creator);
    if (creator == ALPHA_NONE)
        return ALPHA_NONE;
    return model_pointsto_find_object(analysis->points, object->creation, object->creation_at, creator, object->local);
}

uint32_t alpha_task(const Analysis *analysis, const Machine *machine, AgentId id)
{
    const Task *task = &machine->tasks[id];
    uint32_t object = alpha_object(analysis, machine, task->object);
    return object == ALPHA_NONE ? ALPHA_NONE : model_pointsto_find_task(analysis->points, object, task->code);
}

uint32_t alpha_activation(const Analysis *analysis, const Machine *machine, const Frame *frame)
{
    uint32_t object = alpha_object(analysis, machine, frame->object);
    return object == ALPHA_NONE ? ALPHA_NONE : model_pointsto_find_activation(analysis->points, object, frame->code);
}

uint32_t alpha_wait(const Analysis *analysis, const Machine *machine, const Task *task, AgentId wanted)
{
    const Frame *frame = task->frame;
    uint32_t at = (uint32_t)(frame->pc - frame->code->instrs) - (task->state == TASK_AWAIT);
    uint32_t waiter = alpha_task(analysis, machine, task->id), target = alpha_task(analysis, machine, wanted);
    uint32_t activation = alpha_activation(analysis, machine, frame);
    for (uint32_t i = 0; i < analysis->graph->waits.count; i++) {
        const WaitEdge *wait = &analysis->graph->waits.items[i];
        if (wait->task == waiter && wait->activation == activation && wait->at == at && wait->target == target &&
            !wait->condition)
            return i;
    }
    return ALPHA_NONE;
}

uint32_t alpha_deadlock(const Analysis *analysis, const Machine *machine, const AgentId *cycle, uint32_t count,
                        CycleStep *steps)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Task *task = &machine->tasks[cycle[i]], *before = &machine->tasks[cycle[(i + count - 1) % count]];
        AgentId next = cycle[(i + 1) % count];
        if (waitgraph_holder(machine, task) == next)
            continue;
        uint32_t wait = alpha_wait(analysis, machine, task, next);
        if (wait == ALPHA_NONE)
            return 0;
        steps[length++] = (CycleStep){wait, waitgraph_holder(machine, before) == task->id};
    }
    return length;
}

static bool matches_from(const CycleStep *steps, uint32_t count, uint32_t first, const ModelCycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++) {
        const CycleStep *step = &steps[(first + i) % count];
        if (step->wait != cycle->steps[i].wait || step->by_cog != cycle->steps[i].by_cog)
            return false;
    }
    return true;
}

bool alpha_matches(const CycleStep *steps, uint32_t count, const ModelCycle *cycle)
{
    for (uint32_t turn = 0; turn < cycle->count; turn++)
        for (uint32_t first = 0; first < count && cycle->count <= count; first++) {
            CycleStep *turned = mem_alloc(cycle->count * sizeof *turned);
            for (uint32_t i = 0; i < cycle->count; i++)
                turned[i] = cycle->steps[(turn + i) % cycle->count];
            ModelCycle other = {turned, cycle->count};
            bool same = matches_from(steps, count, first, &other);
            free(turned);
            if (same)
                return true;
        }
    return false;
}
