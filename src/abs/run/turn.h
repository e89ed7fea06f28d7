/* turn.h - schedulers of the model: whose turn it is in a cog
 *
 * A cog with a scheduler has a queue: its tasks that could run if no task held the cog, in the order in which they
 * came, by being created or suspended. When a step has changed the queue, the scheduler chooses one of them, and only
 * this one is enabled. So the choice depends on the whole queue; whatever changes that, or what the scheduler reads,
 * writes one resource of the cog (ABS-22).
 */
#ifndef ABS_RUN_TURN_H
#define ABS_RUN_TURN_H

#include "abs/run/machine.h"

/* The bits of the resource's value that name the task whose turn it is. */
#define TURN_TASK ((uint64_t)UINT32_MAX)

static inline bool turn_is_scheduled(const Machine *machine, uint32_t cog) { return machine->objects[cog].scheduler; }
/* May the task run, as far as the scheduler of its cog is concerned? */
static inline bool turn_allows(const Machine *machine, const Task *task)
{
    const ModelObject *cog = &machine->objects[task->cog];
    return !cog->scheduler || cog->turn == task->id;
}

uint64_t turn_resource(const ModelObject *cog);
/* The value of the resource while it is the turn of this task, in the bits TURN_TASK. */
int64_t turn_of(const Machine *machine, AgentId task);

/* A task has come into the queue of its cog. */
void turn_enter(Machine *machine, Task *task);
/* The step ends a task: it changes the queues of cogs in which a task awaits that. */
void turn_note_end(Machine *machine, AgentId over);
/* The step kills a suspended task: ends that it awaits no longer change the queue, so their order matters. */
void turn_note_kill(Machine *machine, const Task *task);
/* At the end of a step of a task or of the clock, when it is settled who holds its cog: lets the schedulers of the
 * queues that it has changed choose. */
void turn_end_step(Machine *machine, Task *task);
void turn_end_clock(Machine *machine);

/* A hash of the order of the tasks in the queue. */
uint64_t turn_hash(const Machine *machine, uint32_t cog);

#endif
