/* locksets.h - which locks may and must be held, and which threads may run, at every wait
 *
 * A data-flow analysis over the contexts of a finished pointsto.h. A lock is an entry from its acquisition to its
 * release; where paths join, a lock that only one of them holds may be held.
 */
#ifndef INSTR_ANALYSIS_LOCKSETS_H
#define INSTR_ANALYSIS_LOCKSETS_H

#include "instr/analysis/lockstate.h"

typedef enum WaitKind { WAIT_LOCK, WAIT_JOIN, WAIT_NEVER /* a thread that ended and still holds a lock */ } WaitKind;

/* Called for each wait, and for each lock that a thread still holds when it ends; arguments are borrowed. `target`:
 * the lock, or the handle. */
typedef void WaitSink(void *self, WaitKind kind, Context *context, LLVMValueRef call, const AbsValue *target,
                      bool shared, const LockState *state);

typedef struct LockSets LockSets;

LockSets *locksets_create(PointsTo *pointsto);
void locksets_destroy(LockSets *sets);

void locksets_each_wait(LockSets *sets, WaitSink *sink, void *self);

/* May a thread of one class run when one of the other, or one of its ancestors, is created? */
bool locksets_meet(const LockSets *sets, uint32_t thread, uint32_t other);

/* Does the set stand for a single lock in every execution? */
bool locksets_is_one(const PointsTo *pointsto, const AbsValue *lock);

#endif
