/* race_verify.h - would a race remain in every schedule of the class? See race_verify.c */
#ifndef RT_DETECT_RACE_VERIFY_H
#define RT_DETECT_RACE_VERIFY_H

#include "core/execution.h"

/* Does some step of `agent` from position `first` on come before the running thread's newest
 * step in every schedule of the class? */
bool race_is_forced(AgentId agent, uint32_t first);
/* Two accesses are not ordered by race_ordered: is that so in every schedule of the class? */
bool race_is_real(AgentId agent, uint32_t clock);

#endif
