/* standstill.h - executions that end with tasks which wait for each other, also through conditions
 *
 * When nothing is enabled any more, a task whose condition is false waits for every unfinished task that could have
 * made it true. Such waits are no deadlock while something runs, hence they are looked at in the end only.
 */
#ifndef DEADLOCK_STANDSTILL_H
#define DEADLOCK_STANDSTILL_H

#include "deadlock/snapshot.h"

/* Does the cycle contain a wait for a condition, and do tasks of this last state of an execution wait for each other
 * along it? */
bool standstill_along(const Snapshot *s, Machine *machine, const ModelCycle *cycle);

#endif
