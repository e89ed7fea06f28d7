/* policy.c - schedulers for simulation: task queues by age, objects in round-robin order
 *
 * A task enters the queue of its cog when it is created and whenever it is suspended (Task.queued); a task in a get
 * holds its cog and is not in the queue.
 */
#include "abs/program/program_internal.h"

void policy_reset(AbsProgram *self)
{
    self->turn = 0;
}

static bool orders_tasks(const AbsProgram *self)
{
    return self->options.tasks == TASKS_FIFO || self->options.tasks == TASKS_LIFO;
}

static bool restricts(const AbsProgram *self)
{
    return orders_tasks(self) || self->options.objects != OBJECTS_ANY;
}

void policy_note_step(AbsProgram *self, AgentId agent)
{
    if (restricts(self) && agent != self->machine->clock)
        self->turn = self->machine->tasks[agent].cog;
}

/* Does no other task of the cog come before it in the queue? */
static bool is_first_of_cog(AbsProgram *self, AgentId agent)
{
    const Machine *machine = self->machine;
    uint32_t cog = machine->tasks[agent].cog;
    uint32_t own = machine->tasks[agent].queued;
    for (AgentId other = 0; other < machine->task_count; other++) {
        if (other == agent || machine->tasks[other].cog != cog || !machine_enabled(self->machine, other))
            continue;
        bool earlier = machine->tasks[other].queued < own;
        if (earlier == (self->options.tasks == TASKS_FIFO))
            return false;
    }
    return true;
}

/* The distance from the cog that ran last: the next cog in round-robin order has the smallest one. */
static uint32_t distance(const AbsProgram *self, uint32_t cog)
{
    return cog > self->turn ? cog - self->turn : cog + NAMES_MAX_OBJECTS - self->turn;
}

static bool has_turn(AbsProgram *self, AgentId agent)
{
    const Machine *machine = self->machine;
    uint32_t own = distance(self, machine->tasks[agent].cog);
    for (AgentId other = 0; other < machine->task_count; other++)
        if (machine_enabled(self->machine, other) && distance(self, machine->tasks[other].cog) < own)
            return false;
    return true;
}

bool policy_allows(AbsProgram *self, AgentId agent)
{
    if (!restricts(self) || agent == self->machine->clock)
        return true;
    if (self->options.objects == OBJECTS_ROUND_ROBIN && !has_turn(self, agent))
        return false;
    return !orders_tasks(self) || is_first_of_cog(self, agent);
}
