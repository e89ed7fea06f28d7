/* bounds.h - bounds that make the executions of a model finite, and what they cut
 *
 * Bounds count what all members of a class have in common: iterations of one loop in one activation; task switches of
 * one object, whose steps become totally ordered by the bound; objects created at one program point, whose creations
 * become ordered too. A task that exceeds a bound stops.
 *
 * A bound on chains of tasks that created each other orders no steps. It makes searches finite; whether an execution
 * as a whole keeps the bound on steps is checked at its end, since the number of steps is the same for every member of
 * a class.
 *
 * With bounds on whole executions (whole_bounds) nothing that is counted needs an order: the number of steps of an
 * object and of objects created at a program point are the same for all members of a class, so either all of them
 * exceed a bound or none does. The execution ends where it exceeds one.
 */
#ifndef ABS_RUN_BOUNDS_H
#define ABS_RUN_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "abs/lower/ir.h"
#include "core/event.h"

typedef struct Task Task;

/* Objects created at a program point so far. */
typedef struct Births {
    const Instr *place;
    uint32_t count;
    uint64_t resource;
} Births;

/* An object of the start state that was found at a program point. */
typedef struct Find {
    const Instr *place;
    uint32_t object;
} Find;

/* Counts a task switch if the task of the step that has begun is not the last one that ran on its object; false if
 * that exceeds the bound. */
bool bounds_switch(Machine *machine);
/* May the task take this step, its first one (`begins`) or a later one? With whole_bounds the steps on its object are
 * counted. Otherwise the chain of tasks that created each other and ends with it must not be too long; only tasks on
 * its own object count, so no order among steps is needed. */
bool bounds_step(Machine *machine, const Task *task, bool begins);
/* Counts an object that the step is about to create at `instr`; false if that exceeds the bound. */
bool bounds_create(Machine *machine, const Instr *instr);
/* An unknown reference was resolved to the object at `instr`, and no step that happens before has found that object.
 * The object counts once for each such program point, so the number does not depend on which of several independent
 * steps finds it first. False if the bound is exceeded. */
bool bounds_find(Machine *machine, const Instr *instr, uint32_t object);
/* Is the resource a counter of created objects? Within the bound the order of creations does not matter. */
bool bounds_counts_births(const Machine *machine, uint64_t resource);

/* At the end of an execution: did more than `most` steps run on one object? The first steps of tasks of the start
 * state are not counted. */
bool bounds_exceeded_steps(const Machine *machine, uint64_t most);

#endif
