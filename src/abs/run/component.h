/* component.h - deployment components: what they give out in each unit of time
 *
 * The accounts of a component are fields of its object (deployment.abs): how much was used in this unit of time, how
 * much there is, and the same of earlier units. Tasks that do not get enough wait in their order, and keep their cogs.
 */
#ifndef ABS_RUN_COMPONENT_H
#define ABS_RUN_COMPONENT_H

#include "abs/run/machine.h"

/* Does the component of the running task limit the resource? Not for data that is sent within one component:
 * `receiver` is the object it goes to, 0 if it is no data. */
bool component_limits(Machine *machine, CapacityKind kind, uint32_t receiver);
/* The task asks for its amount; false if it has to wait. */
bool component_ask(Machine *machine, Task *task);
/* Will there be something for a waiting task, as far as is known? */
bool component_can_give(const Machine *machine, const Task *task);
/* Units of time have begun since `before`: the accounts are closed, waiting tasks get what there is. */
void component_account(Machine *machine, Value before);

#endif
