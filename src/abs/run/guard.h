/* guard.h - Boolean guards that can be evaluated for other orders of the steps
 *
 * The engine asks whether a waiting step would be enabled with other values of the fields its guard reads. A guard
 * therefore keeps, beyond its execution, the values of the variables it mentions; and every value of a field that some
 * guard reads is kept under its key, so that it can be found again.
 */
#ifndef ABS_RUN_GUARD_H
#define ABS_RUN_GUARD_H

#include "abs/run/machine.h"

typedef struct GuardTable GuardTable;

/* Guards and values kept by a machine, over all its executions. */
GuardTable *guard_table_create(void);
void guard_table_destroy(GuardTable *table);

/* Keeps a value of a guarded field; answers its key. */
int64_t guard_keep(Machine *machine, Value value);

/* The value with this key, or VALUE_NONE if it was not kept. */
Value guard_find_value(const Machine *machine, int64_t key);

/* The number of the task's guard: the same for the same condition and values of variables. */
uint32_t guard_number(Machine *machine, const Task *task);
/* The number of a guard that holds if one of the values has another key than these. */
uint32_t guard_number_of_change(Machine *machine, const int64_t *keys, uint32_t count);
/* Does the guard with this number hold if the fields it reads have the values with these keys, in the order of its
 * inputs? */
bool guard_holds_with(Machine *machine, uint32_t number, const int64_t *keys, uint32_t count);

/* Does the task's condition hold in the current state? `raised` (may be NULL) gets the exception it throws, else
 * VALUE_NONE; a condition that throws counts as true, one that meets a limit as false. */
bool guard_holds_now(Machine *machine, Task *task, Value *raised);

#endif
