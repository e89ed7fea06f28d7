/* persistent.h - tasks that suffice to go on from a state
 *
 * A task that resumes after its get holds its cog: nothing that others do meets its step,
 * so it alone suffices. Else a set of cogs is closed under: who may start a task there (by
 * its code, and because it is linked with the place at all, islands.h), and whom do tasks
 * there wait for. What happens outside of it does not meet what is enabled
 * inside, so the enabled tasks of these cogs suffice.
 */
#ifndef DEADLOCK_PERSISTENT_H
#define DEADLOCK_PERSISTENT_H

#include "deadlock/islands.h"
#include "deadlock/snapshot.h"

/* Puts a sufficient set of enabled tasks into `agents` (room for all); answers how many. It is
 * the smallest one; or, if that is preferred, one with a promising task, however large. */
uint32_t persistent_choose(const Snapshot *snapshot, Islands *islands, const Machine *machine, bool prefer_promising,
                           AgentId *agents);

#endif
