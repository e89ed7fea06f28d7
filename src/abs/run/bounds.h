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
 *
 * If limits are on whole executions (whole_limits), nothing that is counted needs an order: how
 * many steps an object takes and how many objects come from a place is the same for all members
 * of a class, so all of them meet a limit or none does. The execution ends where it meets one.
 */
#ifndef ABS_RUN_BOUNDS_H
#define ABS_RUN_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "abs/lower/ir.h"
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

/* An object of the start state that was found at a place. */
typedef struct Find {
    const Instr *place;
    uint32_t object;
} Find;

/* The task of the step that has begun takes over its object; false if it may not. */
bool bounds_switch(Machine *machine);
/* May the task, in its first step or a later one, go on? With whole limits the steps on its object
 * are counted. Otherwise it must not be the last of too long a chain of tasks that created each
 * other: that counts those on its own object, hence needs no order among steps. */
bool bounds_turn(Machine *machine, const Task *task, bool begins);
/* The step is about to make an object at `instr`; false if it may not. */
bool bounds_create(Machine *machine, const Instr *instr);
/* An unknown reference turned out to mean the object at `instr`, and nobody who happens before
 * has found it. It counts once at each such place: so the number does not depend on the order of
 * independent steps, though one of them finds it first. */
bool bounds_find(Machine *machine, const Instr *instr, uint32_t object);
/* Does one of the limits stop the execution as a whole? */
bool bounds_met(const Machine *machine);

/* Is the resource a number of objects? Within the limit their order is of no importance. */
bool bounds_counts_births(const Machine *machine, uint64_t resource);

/* At the end of an execution: did more steps than `most` run on one object? Those with which
 * tasks of the start state begin are not counted. */
bool bounds_exceeded_turns(const Machine *machine, uint64_t most);

#endif
