/* revisit.h - threads that come back to a state of the program that they have been in
 *
 * For iterations that change something and take it back: a lock of the program's own is acquired and released, a flag
 * is set and cleared, one of two locks is given up because the other is taken. On a back edge the *past* of a thread
 * is known: what it and others did that happened before. That past alone leads to a state of the whole program. If
 * it has led to the same state before, what lies between can be left out of any schedule, so the thread is parked
 * (park.h). Why nothing is lost: SPIN-14 to SPIN-16 of docs/design/instrumentation.md.
 */
#ifndef RT_SPIN_REVISIT_H
#define RT_SPIN_REVISIT_H

#include "rt/kernel/runtime.h"

/* The part of a stack that is compared, in bytes. Nothing of an earlier execution may remain in it. */
enum { REVISIT_MAX_STACK = 16384 };

/* An execution begins. */
void revisit_reset(void);
/* The running thread is on a back edge, with these registers at the end of its stack. Parks it if need be. */
void revisit_iteration(const SennitSite *site, const uint64_t *registers);

#endif
