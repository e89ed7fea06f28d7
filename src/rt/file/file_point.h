/* file_point.h - what steps on files have in common: values of resources, and the order they establish */
#ifndef RT_FILE_FILE_POINT_H
#define RT_FILE_FILE_POINT_H

#include "rt/kernel/resource.h"

/* The nth access of the step being executed is to this resource, in this mode: sets its value, which has `low` in the
 * lower FILE_VALUE_BITS before and after, and above them how often it was written: a step that changes something must
 * not look like one that reads. Others that use it later are ordered after this step, and it after those that have
 * changed it. */
void file_point_use(unsigned nth, uint64_t resource, Mode mode, int64_t low_before, int64_t low_after);
/* The same without an order for other memory. */
void file_point_set(unsigned nth, uint64_t resource, Mode mode, int64_t low_before, int64_t low_after);

enum { FILE_VALUE_BITS = 16 };
#define FILE_VALUE_MASK ((1ull << FILE_VALUE_BITS) - 1)

#endif
