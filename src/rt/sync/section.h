/* section.h - atomic sections: several operations executed as one step
 *
 * The begin of a section opens an event, and everything the section accesses, plain memory too,
 * is added to its footprint. So two sections are dependent only if they access the same memory,
 * not because they are sections. The footprint is known only when the section has run
 * (EVENT_OPAQUE). No other thread runs meanwhile. So if a thread stops inside its section (an
 * assumption, the end of the program, a bug, a bound) or would have to wait there, the others
 * must not notice the section: what it wrote is undone.
 */
#ifndef RT_SYNC_SECTION_H
#define RT_SYNC_SECTION_H

#include "rt/kernel/runtime.h"

/* The running thread begins a section, a step of this kind, unless it is in one. */
void section_begin(unsigned op);
/* Makes the announced operation part of the current step; stops the thread if it is not enabled. False: the
 * current step is not the thread's own. */
bool section_step(Thread *self, bool enabled);
/* Undoes the section of a thread that stops inside it. */
void section_abandon(Thread *self);
/* The running thread does `what`, which cannot be undone; matters only in a section. */
void section_keep(const char *what);
/* Where the accesses of the newest operation begin in the event's footprint. */
static inline unsigned section_offset(const Thread *self) { return self->section_depth ? self->section_base : 0; }
/* The running thread has taken a step: it looks at a property, as a part of it; it has done so. */
void section_extend(Thread *self);
void section_extended(Thread *self);
/* Adds plain memory accessed inside a section to the footprint. */
void section_touch(uint64_t address, uint64_t size, Mode mode);
/* The thread announces its next operation or stops: merges the accesses of its section. */
void section_close(Thread *self);

#endif
