/* waitgraph.c - see waitgraph.h */
#include "abs/run/waitgraph.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TARGETS = 64 };

typedef struct CycleFinder {
    const Machine *machine;
    AgentId goal;
    uint8_t *visited;
    AgentId *path;
    uint32_t length, room;
} CycleFinder;

static bool is_waiting(const Task *task)
{
    return task->state == TASK_NEW || task->state == TASK_READY || task->state == TASK_AWAIT || task->state == TASK_GET;
}

AgentId waitgraph_holder(const Machine *machine, const Task *task)
{
    AgentId holder = machine->objects[task->cog].holder;
    return task->state == TASK_GET || holder == task->id ? AGENT_NONE : holder;
}

/* The tasks that this one waits for. */
static uint32_t find_targets(const Machine *machine, const Task *task, AgentId *targets)
{
    uint32_t count = 0;
    AgentId holder = waitgraph_holder(machine, task);
    if (holder != AGENT_NONE)
        targets[count++] = holder;
    if (task->state == TASK_GET)
        targets[count++] = task->wanted;
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count && count < MOST_TARGETS; i++)
        targets[count++] = value_number(task->frame->registers[task->guard->futures[i]]);
    return count;
}

bool waitgraph_waits_for(const Machine *machine, const Task *task, const uint8_t *tasks)
{
    AgentId targets[MOST_TARGETS];
    uint32_t count = is_waiting(task) ? find_targets(machine, task, targets) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (tasks[targets[i]])
            return true;
    return false;
}

static bool reach_goal(CycleFinder *search, AgentId agent)
{
    const Task *task = &search->machine->tasks[agent];
    AgentId targets[MOST_TARGETS];
    if (!is_waiting(task) || search->visited[agent] || search->length == search->room)
        return false;
    search->visited[agent] = 1;
    search->path[search->length++] = agent;
    uint32_t count = find_targets(search->machine, task, targets);
    for (uint32_t i = 0; i < count; i++)
        if (targets[i] == search->goal || reach_goal(search, targets[i]))
            return true;
    search->length--;
    return false;
}

static void rotate_smallest_first(const Machine *machine, AgentId *cycle, uint32_t count)
{
    uint32_t smallest = 0;
    AgentId copy[EXECUTION_MAX_AGENTS];
    for (uint32_t i = 1; i < count; i++)
        if (names_compare_tasks(machine->names, cycle[i], cycle[smallest]) < 0)
            smallest = i;
    memcpy(copy, cycle, count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++)
        cycle[i] = copy[(smallest + i) % count];
}

uint32_t waitgraph_find_cycle(const Machine *machine, AgentId task, AgentId *cycle, uint32_t room)
{
    uint8_t visited[EXECUTION_MAX_AGENTS];
    memset(visited, 0, machine->task_count);
    CycleFinder search = {.machine = machine, .goal = task, .visited = visited, .path = cycle, .room = room};
    if (!reach_goal(&search, task))
        return 0;
    rotate_smallest_first(machine, cycle, search.length);
    return search.length;
}
