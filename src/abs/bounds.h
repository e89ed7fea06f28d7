/* bounds.h - limits that make the executions of a model finite, and what they cut
 *
 * Limits are on what every member of a class has in common: iterations of one loop in one
 * activation; changes of task of one object, whose steps are then all in order; objects made
 * at one place of the text, whose creations are then in order too. A task that reaches
 * a limit stops for good.
 *
 * A limit on chains of tasks that created each other needs no order among steps at all. It makes
 * searches finite; whether an execution as a whole keeps the limit on steps can be told at its
 * end, since the number of steps is the same for every member of a class.
 */
#ifndef ABS_BOUNDS_H
#define ABS_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "abs/ir.h"
#include "core/event.h"

typedef struct Task Task;

typedef enum Cut {
    CUT_NONE,     /* not a limit                        */
    CUT_STEPS,    /* of one task                        */
    CUT_LOOP,
    CUT_SWITCHES,
    CUT_OBJECTS,
    CUT_FUEL,     /* a step that does not end           */
    CUT_ROOM,     /* too many tasks, objects or values  */
    CUT_COUNT
} Cut;

/* Objects made at a place so far. */
typedef struct Births {
    const Instr *place;
    uint32_t count;
    uint64_t resource;
} Births;

/* The task of the step that has begun takes over its object; false if it may not. */
bool bounds_switch(Machine *machine);
/* May the task begin, being the last of a chain of tasks that created each other? Counts those
 * on its own object; says nothing of other tasks, hence needs no order among steps. */
bool bounds_chain(const Machine *machine, const Task *task);
/* The step is about to make an object at `instr`; false if it may not. */
bool bounds_create(Machine *machine, const Instr *instr);

/* Is the resource a number of objects? Within the limit their order is of no importance. */
bool bounds_counts_births(const Machine *machine, uint64_t resource);

/* At the end of an execution: did more steps than `most` run on one object? Those with which
 * tasks of the start state begin are not counted. */
bool bounds_exceeded_turns(const Machine *machine, uint64_t most);

#endif
