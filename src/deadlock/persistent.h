/* persistent.h - tasks that suffice to continue from a state (persistent sets)
 *
 * A task that resumes after its get holds its cog: no step of another task is dependent with its step, so it alone
 * suffices. Otherwise a set of cogs is closed under two relations: the cogs of tasks that may start a task in the set
 * (by their code, and if they are on the same island, islands.h), and the cogs of tasks that tasks in the set wait for.
 * Steps outside the set are independent of the enabled steps inside, so the enabled tasks of these cogs suffice.
 */
#ifndef DEADLOCK_PERSISTENT_H
#define DEADLOCK_PERSISTENT_H

#include "deadlock/islands.h"
#include "deadlock/snapshot.h"

/* Fills `agents` (room for all tasks) with a sufficient set of enabled tasks and answers how many: the smallest set, or
 * with prefer_promising one that contains a promising task, if there is one. */
uint32_t persistent_choose(const Snapshot *snapshot, Islands *islands, const Machine *machine, bool prefer_promising,
                           AgentId *agents);

#endif
