/* section.h - atomic sections: several operations, one step
 *
 * The section is one step for the others: begin opens an event, and everything the
 * section touches, plain memory too, is added to its footprint. So two sections
 * depend on each other only if they touch the same memory, not because they are
 * sections. The footprint is known only when the section has run (EVENT_OPAQUE).
 * Nobody runs while a section does. So a thread that stops inside a section for good (an
 * assumption, the end of the program, a bug, a bound) or has to wait there has not begun it, as
 * far as the others can see: what it wrote is undone.
 */
#ifndef RT_SYNC_SECTION_H
#define RT_SYNC_SECTION_H

#include "rt/kernel/runtime.h"

/* The operation announced becomes part of the current step; if it cannot run the thread stops. False: the
 * step is not the thread's own. */
bool section_step(Thread *self, bool enabled);
/* The thread stops inside its section. */
void section_abandon(Thread *self);
/* The running thread does something that cannot be undone, should it be in a section. */
void section_keep(const char *what);
/* Where the accesses of the newest operation begin in the event's footprint. */
static inline unsigned section_offset(const Thread *self) { return self->section_depth ? self->section_base : 0; }
/* Memory touched inside a section. */
void section_touch(uint64_t address, uint64_t size, Mode mode);
/* The thread is about to wait or to stop: the footprint of its step is complete. */
void section_close(Thread *self);

#endif
