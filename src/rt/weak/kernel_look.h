/* kernel_look.h - calls of the kernel that look at an atomic object, under weak memory
 *
 * The kernel looks at the word of a futex and changes the set of its waiters while it holds a lock, with full barriers.
 * Here these are several steps: the lock is taken, a fence, the look, and a step that changes the set and is the end of
 * it. Other calls wait for the lock, so all of it is as one step. What was written before a call is seen by the next
 * one with the same lock; but calls do not synchronise plain memory: the program has to do that by itself.
 *
 * Under sequential consistency the look is part of the step, and kernellook_fence, _announce and _end do nothing.
 */
#ifndef RT_WEAK_KERNEL_LOOK_H
#define RT_WEAK_KERNEL_LOOK_H

#include "rt/kernel/step.h"
#include "rt/memory/word.h"

/* A lock of the kernel. */
typedef struct KernelLock {
    uint64_t resource;
    int64_t held;
} KernelLock;

/* A full fence that does not synchronise plain memory. */
void kernellook_fence(void);
/* Takes one or two locks. All steps of the call until its end are as one. */
void kernellook_begin(OpKind op, KernelLock *first, KernelLock *second);
/* The object is read; or updated with an operation of enum SennitRmw, and the value found is answered. */
uint32_t kernellook_read(Word word);
uint32_t kernellook_update(Word word, uint32_t op, uint32_t operand);

/* In the footprint being announced: the lock must be free, unless this call holds it. */
void kernellook_announce(KernelLock *lock, bool held);
/* In the step being executed: it is free again, and memory is ordered. */
void kernellook_end(KernelLock *lock);

#endif
