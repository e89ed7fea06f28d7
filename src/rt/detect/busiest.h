/* busiest.h - the place at which the longest execution took most of its steps
 *
 * If a search does not end because of a loop that is not recognised as waiting, this is a step of that loop.
 */
#ifndef RT_DETECT_BUSIEST_H
#define RT_DETECT_BUSIEST_H

#include "core/execution.h"

/* An execution is over. */
void busiest_note(const Execution *ex);
/* Of the longest execution so far: its length, and how many steps one thread took at the place. 0: no place stands
 * out. */
uint64_t busiest_steps(uint64_t *site, uint64_t *length);

#endif
