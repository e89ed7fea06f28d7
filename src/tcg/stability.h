/* stability.h - temporarily stable objects, whose tasks suffice to continue
 *
 * An object is temporarily stable if no steps of other objects before its next step create a task on it that depends
 * on those in its queue (Albert, Arenas, Gomez-Zamalloa, definition 1). Then its tasks suffice to continue: all other
 * orders are equivalent. It is stable if for each task of another object
 *   1. no chain of calls leads to a method of its class; or
 *   2. all methods at the ends of such chains are independent of the queue (chains.h); or
 *   3. none of the objects that may execute the last call of a chain can get a reference to it.
 * Condition 3 of the paper asks whether an object on a chain has a reference to it. Here references that may be passed
 * on count as well: an object outside all chains may put one into a field of an object on a chain.
 */
#ifndef TCG_STABILITY_H
#define TCG_STABILITY_H

#include "abs/program/program_abs.h"

/* For the model of the program (borrowed); the result goes to program_abs_set_stability. */
Stability *stability_create(const AbsProgram *program, bool whole_objects);

#endif
