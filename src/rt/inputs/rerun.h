/* rerun.h - steps that may find values that depend on inputs after other steps
 *
 * What a compare-and-swap or an atomic section would do after other steps of its execution
 * follows from the values it finds there, unless one of them depends on inputs: then it may have to
 * decide something, and must be run to know (EVENT_RERUN). Whatever it may find was left by steps of
 * this execution. So it is marked when it is made, and unmarked when the execution is over if
 * in no word that it touches anything ever had to do with inputs.
 */
#ifndef RT_INPUTS_RERUN_H
#define RT_INPUTS_RERUN_H

#include <stdbool.h>

void rerun_reset(void);
/* The step being executed may find such values after other steps. `opaque`: in any case what it touches
 * does not follow from the conditions of its accesses. */
void rerun_mark(bool opaque);
/* Whatever lies in memory, it must be run again. */
void rerun_always(void);
/* The execution is over. */
void rerun_settle(void);

#endif
