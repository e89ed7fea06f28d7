/* stability.h - objects to which nobody will post a task that matters, unless they act
 *
 * An object is temporarily stable if whatever others do before it is chosen, they post no task
 * to it that depends on those in its queue (Albert, Arenas, Gomez-Zamalloa, definition 1). Then
 * its tasks suffice to go on: all other orders are equivalent. It is stable if for each task of
 * another object
 *   1. no chain of calls leads to a method of its class; or
 *   2. all methods at the ends of such chains are independent of the queue (chains.h); or
 *   3. none of the objects that may run the last call of a chain can come to know it.
 * Condition 3 of the paper asks whether an object on a chain has a reference to it. Here it is
 * asked who may be told of it as well: somebody outside of all chains may put it into a field
 * of an object on one.
 */
#ifndef TCG_STABILITY_H
#define TCG_STABILITY_H

#include "abs/program/program_abs.h"

/* Of the program's model (borrowed). */
Stability *stability_create(const AbsProgram *program, bool whole_objects);

#endif
