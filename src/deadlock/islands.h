/* islands.h - parts of a state that know nothing of each other
 *
 * Objects and unfinished tasks that are linked by references and futures, in whatever
 * direction, are one island. To call an object a task must know it; knowledge is handed on
 * only by those who have it; so nothing ever links two islands.
 */
#ifndef DEADLOCK_ISLANDS_H
#define DEADLOCK_ISLANDS_H

#include "abs/run/machine.h"

typedef struct Islands Islands;

Islands *islands_create(void);
void islands_destroy(Islands *islands);
/* Looks at the machine between two steps. */
void islands_find(Islands *islands, const Machine *machine);
/* Is the task on the same island as the object? */
bool islands_linked(Islands *islands, AgentId task, uint32_t object);

#endif
