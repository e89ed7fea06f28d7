/* footprint.h - the footprint of a step of a task
 *
 * Resources are 64-bit names computed from the hashes of objects and tasks. The table of footprints is in
 * docs/design/abs.md.
 */
#ifndef ABS_RUN_FOOTPRINT_H
#define ABS_RUN_FOOTPRINT_H

#include "abs/run/machine.h"

/* The value of a cog: 0 if no task holds it, else a number computed from the holder's name, the same in every process
 * (COG_HOLDER); COG_DEAD is set if its first object is dead. */
#define COG_DEAD ((int64_t)1 << 32)
#define COG_HOLDER ((int64_t)UINT32_MAX)

/* The resources: a cog, the end of a task, a field, the life of an object, all of an object. */
uint64_t footprint_cog(const Machine *machine, uint32_t cog);
uint64_t footprint_end(const Machine *machine, AgentId task);
uint64_t footprint_field(const ModelObject *object, uint32_t field);
uint64_t footprint_life(const ModelObject *object); /* of an object that is not its cog's first */
uint64_t footprint_actor(const ModelObject *object); /* for DEPENDENCE_ACTOR                */

/* How often the clock has advanced. */
uint64_t footprint_moment(const Machine *machine);
uint64_t footprint_time(const Machine *machine);

/* Opens the event of the step that begins. */
void footprint_begin(Machine *machine, Task *task);
/* Completes it: the cog is kept or released. */
void footprint_end_step(Machine *machine, Task *task);

/* The same for the step of the clock: all that came before happens before it, and it knows all of it. `before`: the
 * time that it was. */
void footprint_begin_clock(Machine *machine, Task *clock);
void footprint_end_clock(Machine *machine, Task *clock, Value before);

/* The following are called by the instructions of the step and add accesses to its event. */
/* `matters`: the rest of the footprint may depend on the value. */
void footprint_read_field(Machine *machine, ModelObject *object, uint32_t field, bool matters);
void footprint_write_field(Machine *machine, ModelObject *object, uint32_t field, Value value);
/* The condition of a waiting task was evaluated again (models with inputs). */
void footprint_write_guard(Machine *machine, Task *task, bool before);
/* Has this step assigned a field that the guard reads? */
bool footprint_wrote(const Machine *machine, const ModelObject *object, const Guarding *guard);
void footprint_write_end(Machine *machine, const Task *task);
/* The step looks at the time. */
void footprint_read_clock(Machine *machine);
/* The step tests whether a task is over (AWAIT_LITERAL). */
void footprint_read_end(Machine *machine, AgentId task);
void footprint_read_life(Machine *machine, ModelObject *object);
/* The step reads, or changes, which objects of the start state exist. */
void footprint_touch_start(Machine *machine, bool change);
uint64_t footprint_start(const Machine *machine); /* the resource */
/* The step reads which component a cog is on, or changes it; only in models that move cogs. */
void footprint_read_place(Machine *machine, uint32_t cog);
void footprint_write_place(Machine *machine, uint32_t cog, uint32_t component);
void footprint_write_life(Machine *machine, ModelObject *object);

/* At the end of an execution: adds a record for a task that cannot continue. */
void footprint_add_blocked(Machine *machine, Task *task);

#endif
