/* islands.c - see islands.h */
#include "deadlock/islands.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

enum { NODES = EXECUTION_MAX_AGENTS + NAMES_MAX_OBJECTS };

/* Nodes: tasks, then objects. */
struct Islands {
    const Machine *machine;
    uint32_t *parent;
    Map seen; /* cells visited in this state */
};

Islands *islands_create(void)
{
    Islands *islands = mem_alloc(sizeof *islands);
    islands->parent = mem_alloc(NODES * sizeof *islands->parent);
    return islands;
}

void islands_destroy(Islands *islands)
{
    if (!islands)
        return;
    free(islands->parent);
    map_release(&islands->seen);
    free(islands);
}

static uint32_t find(Islands *islands, uint32_t node)
{
    while (islands->parent[node] != node)
        node = islands->parent[node] = islands->parent[islands->parent[node]];
    return node;
}

static void join(Islands *islands, uint32_t a, uint32_t b)
{
    islands->parent[find(islands, a)] = find(islands, b);
}

static uint32_t node_of_object(uint32_t object) { return EXECUTION_MAX_AGENTS + object; }

/* Connects a node with everything a value mentions. A cell that several nodes contain connects them through what it
 * mentions, so it is visited once per node. */
static void link_value(Islands *islands, uint32_t node, Value value)
{
    ValueTag tag = value_tag(value);
    if (tag == TAG_OBJECT && value_number(value))
        join(islands, node, node_of_object(value_number(value)));
    else if (tag == TAG_FUTURE)
        join(islands, node, value_number(value));
    if (tag != TAG_CELL || !value_cell(value))
        return;
    const Cell *cell = value_cell(value);
    bool added;
    if (cell->kind != CELL_DATA && cell->kind != CELL_CLOSURE)
        return;
    uint64_t *place = map_insert(&islands->seen, (uint64_t)(uintptr_t)cell, &added);
    if (!added) {
        join(islands, node, (uint32_t)*place);
        return;
    }
    *place = node;
    for (uint32_t i = cell->kind == CELL_CLOSURE; i < (uint32_t)cell->count + (cell->kind == CELL_CLOSURE); i++)
        link_value(islands, node, cell->args[i]);
}

static void link_object(Islands *islands, uint32_t number)
{
    const ModelObject *object = &islands->machine->objects[number];
    join(islands, node_of_object(number), node_of_object(object->cog));
    for (uint32_t i = 0; i < object->class->field_count; i++)
        link_value(islands, node_of_object(number), object->fields[i]);
}

static void link_task(Islands *islands, const Task *task)
{
    join(islands, task->id, node_of_object(task->cog));
    for (const Frame *frame = task->frame; frame; frame = frame->caller) {
        join(islands, task->id, node_of_object(frame->object));
        for (uint32_t i = 0; i < frame->code->register_count; i++)
            link_value(islands, task->id, frame->registers[i]);
    }
}

/* A task that is over counts only through its result: it is not connected with its object any more. */
void islands_find(Islands *islands, const Machine *machine)
{
    islands->machine = machine;
    map_reset(&islands->seen);
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        islands->parent[agent] = agent;
    islands->parent[node_of_object(0)] = node_of_object(0);
    for (uint32_t i = 0; i < machine->live.count; i++)
        islands->parent[node_of_object(machine->live.items[i])] = node_of_object(machine->live.items[i]);
    for (uint32_t i = 0; i < machine->live.count; i++)
        link_object(islands, machine->live.items[i]);
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        const Task *task = &machine->tasks[agent];
        if (task_is_over(task))
            link_value(islands, agent, task->result);
        else if (task->state != TASK_ABSENT)
            link_task(islands, task);
    }
}

bool islands_linked(Islands *islands, AgentId task, uint32_t object)
{
    return find(islands, task) == find(islands, node_of_object(object));
}
