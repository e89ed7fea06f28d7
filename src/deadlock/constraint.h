/* constraint.h - can a state still lead to a deadlock along a cycle?
 *
 * A deadlock along a cycle needs a wait for each of its steps, each for a task that is not over, where the next wait is
 * by that task or by the holder of its cog. A wait exists already, or a task may still reach it, or a task that does
 * may still be created. The constraint is satisfiable if such waits can be chosen consistently; of a deadlock that
 * follows the cycle more than once, or other cycles too, only one round without its last link is considered. If it is
 * unsatisfiable, no execution from this state has such a deadlock.
 */
#ifndef DEADLOCK_CONSTRAINT_H
#define DEADLOCK_CONSTRAINT_H

#include "deadlock/snapshot.h"

/* Can a deadlock along the cycle be reached from the state of the snapshot? False is certain. */
bool constraint_satisfiable(const Snapshot *snapshot, const ModelCycle *cycle);

#endif
