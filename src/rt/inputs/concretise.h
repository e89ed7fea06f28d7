/* concretise.h - symbolic values replaced by the values they have in this execution
 *
 * Other values are not explored, so each is counted with its place: the verdict says so. `what` names the value in the
 * report, in at most 39 characters.
 */
#ifndef RT_INPUTS_CONCRETISE_H
#define RT_INPUTS_CONCRETISE_H

#include "rt/inputs/tracking.h"

/* Counts one value at the current place. */
void concretise_note(const char *what);
/* From now on the expression has the value `concrete`; of a value wider than 64 bits the low half suffices. */
void concretise_value(ExprId value, Bits concrete, const char *what);
/* All values in `size` bytes of memory. */
void concretise_memory(uint64_t address, uint64_t size, const char *what);
/* All values in memory that can be reached through a pointer. */
void concretise_reached(const void *p, const char *what);

/* ---- For reports: of all processes of the run ---- */

/* Calls `each` for every place where values were concretised; site 0 stands for all others. */
void concretise_each(void (*each)(void *context, uint64_t site, const char *what, uint64_t count), void *context);
/* Adds what a process on another machine, or before this one, counted; sites are the same in all. */
void concretise_add(uint64_t site, const char *what, uint64_t count);

#endif
