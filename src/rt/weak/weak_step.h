/* weak_step.h - atomic operations under weak memory
 *
 * Unless ex->memory is MEMORY_SC (SPECIAL_WEAK), an atomic operation is a step whose first choice says which write it
 * reads, or where its own comes in coherence order: WEAK-1 to WEAK-4 of core/program.h. Whether a choice is consistent
 * is the engine's business. Updates never commute here: which write one reads is what the engine explores.
 *
 * An atomic operation inside an atomic section is refused: there everything is one step.
 */
#ifndef RT_WEAK_WEAK_STEP_H
#define RT_WEAK_WEAK_STEP_H

#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"
#include "rt/memory/word.h"

/* What an operation accesses, its memory_order and its place. */
typedef struct WeakTarget {
    Word word;
    uint32_t order;
    const SennitSite *site;
} WeakTarget;

/* A value and its expression, 0 if there is none. */
typedef struct WeakValue {
    uint64_t value;
    uint32_t shadow;
} WeakValue;

/* What a thread waits for: (value & mask) relation operand. */
typedef struct WeakWait {
    Relation relation;
    uint64_t mask, operand;
    bool assumed; /* the thread stops if it never holds */
} WeakWait;

static inline bool weak_applies(const Thread *self) { return UNLIKELY(self && self->special & SPECIAL_WEAK); }
/* The target of an operation on `size` bytes at `p`; ends the exploration if they are neither in one word
 * nor two words that are aligned as one. */
WeakTarget weak_target(const void *p, uint64_t size, uint32_t order, const SennitSite *site);

WeakValue weak_load(const WeakTarget *target);
void weak_store(const WeakTarget *target, WeakValue value);
/* A store whose value is not known yet: the caller sets it in the message and in the event, and writes memory. */
struct WeakMessage *weak_store_open(const WeakTarget *target);
/* These answer the value found. `op` is of enum SennitRmw. */
WeakValue weak_update(const WeakTarget *target, uint32_t op, WeakValue operand);
/* `fails` NULL: it does not fail for no reason; else whether it did. */
WeakValue weak_cas(const WeakTarget *target, uint32_t failure, WeakValue expected, WeakValue desired, bool *fails);
WeakValue weak_await(const WeakTarget *target, const WeakWait *wait);
WeakValue weak_await_update(const WeakTarget *target, const WeakWait *wait, uint32_t op, WeakValue operand);
void weak_fence(uint32_t order);

/* Would a pending weak step be enabled if it read the kth write before the last? (WEAK-3) */
bool weak_guard_holds(const Access *guard, uint32_t k);

/* An execution begins. */
void weak_reset(void);
/* For an image of the execution. */
void weak_save(RtImage *image);
/* See ProgramOps.written. */
bool weak_written(const Execution *ex, uint32_t event, int64_t read, int64_t *value);
/* The position of the step whose write the step at `event` read; UINT32_MAX if there is none. */
uint32_t weak_source(uint32_t event);

#endif
