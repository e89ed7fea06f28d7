/* rerun.h - steps that may find symbolic values after other steps
 *
 * What a compare-and-swap or an atomic section would do after other steps of its execution follows from the values it
 * finds there, unless one of them is symbolic: then it may have to decide something, and must be run to find out
 * (EVENT_RERUN). Whatever it may find was left by steps of this execution. So the step is marked when it is executed,
 * and unmarked when the execution is over if none of its words ever was touched by inputs. (SHD-6)
 */
#ifndef RT_INPUTS_RERUN_H
#define RT_INPUTS_RERUN_H

#include <stdbool.h>

void rerun_reset(void);
/* The step being executed may find such values after other steps. `opaque`: even if it does not, its footprint
 * does not follow from the conditions of its accesses. */
void rerun_mark(bool opaque);
/* The step being executed must be run again in any case. */
void rerun_always(void);
/* The execution is over: removes the marks that are not needed. */
void rerun_settle(void);

#endif
