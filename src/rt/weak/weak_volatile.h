/* weak_volatile.h - accesses to volatile objects as relaxed atomic ones, under weak memory
 *
 * The program's own instruction comes behind the hook, and uses memory. So memory shows the value that a load has read
 * until the next step of its thread; what a store has written is found in memory when that step begins, and if another
 * store comes behind it in coherence order, memory holds that one's value again then. No other thread runs in between.
 */
#ifndef RT_WEAK_WEAK_VOLATILE_H
#define RT_WEAK_WEAK_VOLATILE_H

#include "rt/kernel/runtime.h"

/* The step of an access at sennit_rt_site; ends the exploration if it is not one to a single word. */
void weak_volatile_access(Thread *self, uint64_t address, uint64_t size, bool writes);
/* The instruction behind the last access has been executed. */
void weak_volatile_settle(void);

/* An execution begins. */
void weak_volatile_reset(void);

#endif
