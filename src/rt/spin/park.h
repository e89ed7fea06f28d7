/* park.h - threads that have come back to a state they have been in, and let the others continue
 *
 * A parked thread continues when no other agent is enabled. If it comes to the same state again alone, it is in a
 * livelock; if with the help of others, nothing is known, and it is cut. See SPIN-15 and SPIN-18 of
 * docs/design/instrumentation.md.
 */
#ifndef RT_SPIN_PARK_H
#define RT_SPIN_PARK_H

#include "rt/kernel/runtime.h"

/* Parks the running thread on a back edge of the loop; its steps since the event `cycle` led back to the same state. */
void park_thread(uint64_t loop, uint32_t cycle);
/* How often the thread was parked in the loop that it was parked in last. */
uint32_t park_count(const Thread *thread);
/* And in this one. */
uint32_t park_count_in(const Thread *thread, uint64_t loop);
/* Does the thread wait in a livelock? */
bool park_is_stuck(const Thread *thread);

#endif
