/* islands.h - parts of a state that are not connected by references
 *
 * Objects and unfinished tasks connected by references and futures, in either direction, form an island. A task can
 * call only objects it has a reference to, and references are passed on only by tasks that have them; so two islands
 * never become connected.
 */
#ifndef DEADLOCK_ISLANDS_H
#define DEADLOCK_ISLANDS_H

#include "abs/run/machine.h"

typedef struct Islands Islands;

/* Without islands until islands_find; reusable for many states. */
Islands *islands_create(void);
void islands_destroy(Islands *islands);
/* Computes the islands of the machine's state, between two steps. */
void islands_find(Islands *islands, const Machine *machine);
/* Is the task on the same island as the object? */
bool islands_linked(Islands *islands, AgentId task, uint32_t object);

#endif
