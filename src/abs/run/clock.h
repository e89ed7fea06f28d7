/* clock.h - the simulated clock of a timed model
 *
 * Time is a rational number. It passes only when no task is enabled: then the clock takes a step of its own, as an
 * agent of the execution, to the next moment at which some task can continue. The rules are in docs/design/abs.md
 * (Time).
 */
#ifndef ABS_RUN_CLOCK_H
#define ABS_RUN_CLOCK_H

#include "abs/run/machine.h"

/* Before an execution: it is time 0. The clock is an agent if the model is timed. */
void clock_reset(Machine *machine);

/* Can it advance: is nothing else enabled, and does some task wait that only time keeps from running? */
bool clock_is_due(Machine *machine);
/* Advances to the next moment at which a task can continue; at the bound all that wait for time are stopped. */
void clock_step(Machine *machine);

/* ---- For the running step ---- */

Value clock_now(Machine *machine);
/* Time until the deadline of the task (NULL: none), not below 0; -1 if it has none. */
Value clock_time_left(Machine *machine, const Task *task);
/* The time of a deadline given as a Duration; VALUE_NONE if that is infinite. */
Value clock_deadline(Machine *machine, Value duration);
/* The task waits for a duration; false if that is over at once. */
bool clock_delay(Machine *machine, Task *task, Value least, Value most);
void clock_forget_delay(Task *task);

#endif
