/* constraint.h - can a state still lead to a deadlock along a cycle?
 *
 * A cycle asks for a wait at each of its places, each for a task that is not over, where
 * the next wait is by that task or by the holder of its cog. A wait is there already, or a
 * task may still come to it, or a task may still be started that does. The question is
 * whether some choice of such waits fits together; of a deadlock that goes along the cycle
 * more than once, or along other cycles too, only one way round without its last link is
 * asked for. "No" is certain: then no execution from this state has such a deadlock.
 */
#ifndef DEADLOCK_CONSTRAINT_H
#define DEADLOCK_CONSTRAINT_H

#include "deadlock/snapshot.h"

bool constraint_satisfiable(const Snapshot *snapshot, const ModelCycle *cycle);

#endif
