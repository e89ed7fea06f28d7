/* policy.c - schedulers for simulation: task queues by age, objects in round-robin order
 *
 * A task enters the queue of its cog when it is created and whenever it is suspended; a task in a get holds its cog
 * and is not in the queue.
 */
#include "abs/program/program_internal.h"

void policy_reset(AbsProgram *self)
{
    self->clock = 0;
    self->turn = 0;
    self->arrivals.count = 0;
}

static void note_arrivals(AbsProgram *self)
{
    while (self->arrivals.count < self->machine->task_count)
        VEC_PUSH(&self->arrivals, 0);
    for (AgentId agent = 0; agent < self->machine->task_count; agent++) {
        const Task *task = &self->machine->tasks[agent];
        if (task->state != TASK_ABSENT && !self->arrivals.items[agent])
            self->arrivals.items[agent] = ++self->clock;
    }
}

static bool restricts(const AbsProgram *self)
{
    return self->options.tasks != TASKS_ANY || self->options.objects != OBJECTS_ANY;
}

void policy_note_step(AbsProgram *self, AgentId agent)
{
    if (!restricts(self) || agent == self->machine->clock)
        return;
    note_arrivals(self);
    self->arrivals.items[agent] = ++self->clock;
    self->turn = self->machine->tasks[agent].cog;
}

/* Does no other task of the cog come before it in the queue? */
static bool is_first_of_cog(AbsProgram *self, AgentId agent)
{
    const Machine *machine = self->machine;
    uint32_t cog = machine->tasks[agent].cog;
    uint64_t own = self->arrivals.items[agent];
    for (AgentId other = 0; other < machine->task_count; other++) {
        if (other == agent || machine->tasks[other].cog != cog || !machine_enabled(self->machine, other))
            continue;
        bool earlier = self->arrivals.items[other] < own;
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
    note_arrivals(self);
    if (self->options.objects == OBJECTS_ROUND_ROBIN && !has_turn(self, agent))
        return false;
    return self->options.tasks == TASKS_ANY || is_first_of_cog(self, agent);
}
