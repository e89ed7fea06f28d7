/* references.c - see references.h */
#include "abs/run/references.h"

#include "base/map.h"

typedef struct FutureSearch {
    Value future;
    Map seen; /* cells */
} FutureSearch;

/* The cell, if it contains values that were not looked at yet; else NULL. */
static const Cell *enter_cell(FutureSearch *search, Value value)
{
    bool added;
    if (!value_is_kind(value, CELL_DATA) && !value_is_kind(value, CELL_CLOSURE))
        return NULL;
    map_insert(&search->seen, (uint64_t)(uintptr_t)value_cell(value), &added);
    return added && value_cell(value)->count ? value_cell(value) : NULL;
}

/* Loops over last arguments: lists are long. */
static bool mentions(FutureSearch *search, Value value)
{
    const Cell *cell;
    while ((cell = enter_cell(search, value)) != NULL) {
        uint32_t first = cell->kind == CELL_CLOSURE, last = cell->count + first - 1; /* after the code */
        for (uint32_t i = first; i < last; i++)
            if (mentions(search, cell->args[i]))
                return true;
        value = cell->args[last];
    }
    return value == search->future;
}

static bool any_mentions(FutureSearch *search, const Value *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (mentions(search, values[i]))
            return true;
    return false;
}

static bool task_mentions(FutureSearch *search, const Task *task)
{
    if (task->state == TASK_ABSENT)
        return false;
    if (task_is_over(task))
        return mentions(search, task->result);
    for (const Frame *frame = task->frame; frame; frame = frame->caller)
        if (any_mentions(search, frame->registers, frame->code->register_count))
            return true;
    return false;
}

bool references_hold_future(const Machine *machine, AgentId task)
{
    FutureSearch search = {.future = value_future(task)};
    bool held = false;
    for (AgentId agent = 0; agent < machine->task_count && !held; agent++)
        held = task_mentions(&search, &machine->tasks[agent]);
    for (uint32_t i = 0; i < machine->live.count && !held; i++) {
        const ModelObject *object = &machine->objects[machine->live.items[i]];
        held = any_mentions(&search, object->fields, object->class->field_count);
    }
    map_release(&search.seen);
    return held;
}
