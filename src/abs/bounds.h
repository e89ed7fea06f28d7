/* bounds.h - limits that make the executions of a model finite, and what they cut
 *
 * Limits are on what every member of a class has in common: iterations of one loop in one
 * activation; changes of task of one object, whose steps are then all in order; objects made
 * at one place of the text, whose creations are then in order too. A task that reaches
 * a limit stops for good.
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
} Births;

/* The task of the step that has begun takes over its object; false if it may not. */
bool bounds_switch(Machine *machine);
/* May the task begin, being the last of a chain of tasks that created each other? Counts those
 * on its own object; says nothing of other tasks, hence needs no order among steps. */
bool bounds_chain(const Machine *machine, const Task *task);
/* The step is about to make an object at `instr`; false if it may not. */
bool bounds_create(Machine *machine, const Instr *instr);

#endif
