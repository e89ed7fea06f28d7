/* spin_pass.h - back edges of loops in a search that recognises states
 *
 * There iterations lead from state to state like other code, and no loop becomes a wait. A few iterations without a
 * step take an empty one, so that other threads can continue.
 */
#ifndef RT_SPIN_SPIN_PASS_H
#define RT_SPIN_SPIN_PASS_H

#include "rt/kernel/runtime.h"

/* The running thread is on a back edge, with these registers at the end of its stack; NULL: in the registers. */
void spin_pass(Thread *self, const uint64_t *registers);

#endif
