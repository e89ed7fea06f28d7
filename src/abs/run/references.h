/* references.h - which values of a state mention a future */
#ifndef ABS_RUN_REFERENCES_H
#define ABS_RUN_REFERENCES_H

#include "abs/run/machine.h"

/* May a task that is not over get hold of the future of this task: through its variables, a field of an object, or the
 * result of another task? */
bool references_hold_future(const Machine *machine, AgentId task);

#endif
