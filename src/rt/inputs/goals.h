/* goals.h - goals that the program names with sennit_reach */
#ifndef RT_INPUTS_GOALS_H
#define RT_INPUTS_GOALS_H

#include <stdbool.h>

#include "base/region.h"

/* Before the first fork. */
void goals_init(Region *region);
/* Calls `each` once for every name given to sennit_reach. */
void goals_each(void (*each)(void *context, const char *name, bool is_reached), void *context);
/* Which goals were reached in any execution: bytes that are 0 or 1, in the region; the same places
 * mean the same in every process of this binary. */
uint8_t *goals_map(size_t *size);

#endif
