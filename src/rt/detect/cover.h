/* cover.h - which marks of the program's code were set, summed over executions and processes
 *
 * The program sets bytes in its own memory (SennitCover of hooks.h); after an execution they
 * are added to a map in the region, which the supervisor reads.
 */
#ifndef RT_DETECT_COVER_H
#define RT_DETECT_COVER_H

#include <stdbool.h>

#include "base/region.h"

/* Before the first fork. */
void cover_init(Region *region);

/* At the start of an execution. */
void cover_reset(void);

/* Adds what was set since the last call; true if something was set for the first time.
 * Safe in a signal handler. */
bool cover_collect(void);

#endif
