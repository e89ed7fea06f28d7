/* observe.h - observers: atomic sections that synchronise with nothing, and obligations
 *
 * What an observer accesses is the footprint of its step, as in every atomic section, so two observers are dependent
 * only if they share variables. For the race detector its accesses are relaxed atomic ones: they order nothing, and do
 * not race with those of other observers. (DEP-10)
 */
#ifndef RT_SYNC_OBSERVE_H
#define RT_SYNC_OBSERVE_H

#include <stdint.h>

#include "sennit/monitor.h"

void observe_reset(void);
/* Before main: the program has this obligation. */
void observe_add(sennit_obligation *obligation);
/* The running thread's code up to observe_end is one step of an observer. */
void observe_begin(void);
void observe_end(void);
/* Steps of an observer by themselves. */
void observe_hot(sennit_obligation *obligation);
void observe_cold(sennit_obligation *obligation);
/* The running thread ends the program: reports obligations that are hot. One step, which reads them, so that it matters
 * whether they become hot or cold before. */
void observe_check_exit(void);
/* The execution is complete, and what waits now waits forever: reports obligations that are still hot. */
void observe_check_end(void);

/* Obligations that are open, as bits, at most 64; none where a bug was found or a limit was met. */
uint64_t observe_open(void);
/* They stay open, since the events from this one on can be repeated for ever; meanwhile, what `others` says. */
void observe_report_endless(uint64_t unmet, uint32_t from, const char *others);

#endif
