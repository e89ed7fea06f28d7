/* stale.h - for reports: weak steps that came before others in coherence order, from the events of an execution */
#ifndef RT_WEAK_STALE_H
#define RT_WEAK_STALE_H

#include "core/event.h"

/* The position of the step that had made the last write of the location when the step of this access, in the footprints
 * of the last execution, read an older one or wrote before it. UINT32_MAX if there is none. */
uint32_t stale_newer(const Access *access);

#endif
