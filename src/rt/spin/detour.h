/* detour.h - iterations without effect that need not be told apart: retry loops
 *
 * `do old = load(&x); while (!cas(&x, &old, f(old)));`: if the exchange fails, the iteration has changed nothing, and
 * the thread is where it was before, although what it read has changed meanwhile. All that it can do behind the
 * iteration it can do without it, in an execution that is visited as well. So it stops. (SPIN-22)
 */
#ifndef RT_SPIN_DETOUR_H
#define RT_SPIN_DETOUR_H

#include "rt/kernel/runtime.h"

/* The running thread is in the state in which it was before its newest steps, which have changed nothing; some location
 * had two values meanwhile. It stops, if it may. Did the steps access `one_place` only, by atomic reads? */
void detour_end(bool one_place);
/* The running thread has come back to a state with steps that have changed nothing. Can it stop, without a loss of data
 * races with these steps? To be asked once for each time. */
bool detour_may_end(bool one_place);

#endif
