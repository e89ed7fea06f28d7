/* scheduler.h - chooses the agent of the next step and switches to it */
#ifndef RT_KERNEL_SCHEDULER_H
#define RT_KERNEL_SCHEDULER_H

#include "rt/abi/ops.h"
#include "rt/kernel/runtime.h"

/* Is the pending operation of the thread enabled now? */
bool scheduler_is_enabled(const Thread *thread);
/* Does it wait in a weak step that the last write does not let continue? (WEAK-3) */
bool scheduler_waits_weakly(const Thread *thread);
/* Does the guard of a pending operation hold now? `live` is its value, or NULL. */
bool scheduler_guard_holds(const Access *access, const int64_t *live);
/* The same for the guard of a weak step that comes next: if it is planned, of the write that it will read. (WEAK-3) */
bool scheduler_weak_guard_holds(const Access *access);
/* The current value of the resource of a pending access. */
int64_t scheduler_guard_value(const Access *access, const int64_t *live);

/* Parks the running thread with what it announced, lets others run, and returns when its
 * step begins; the event exists then. */
void scheduler_park(Thread *self);
/* Runs the first code of the threads that `self` created. */
void scheduler_start_children(Thread *self);
/* The running thread is over; continues with another one. */
_Noreturn void scheduler_leave(void);
/* The running thread is over, but the code it ran continues as the thread that borrows
 * `*context`. Returns when the step of such a thread has begun. */
void scheduler_hand_over(void **context);
/* Begins the first step of a thread whose code starts with it. */
void scheduler_begin(Thread *self);
/* Makes a new thread wait with these accesses (at most INLINE_ACCESSES) without having
 * run; `live` holds the values of those that are guards. */
void scheduler_make_pending(Thread *thread, OpKind op, uint64_t site, const Access *accesses, unsigned count,
                            const int64_t *live);
/* Ends the execution from inside the program. */
_Noreturn void scheduler_finish(ExecutionEnd end);
/* Before a choice is added to the newest event: the execution is cut if there is no room for it. */
void scheduler_need_choice(void);
/* Runs agent 0 with `body` until the execution is over; ex->end says how. */
void scheduler_run(void (*body)(void *));
/* The same for an execution whose state has been restored, as it was when rt.slice_end had this value. */
void scheduler_continue(uint32_t slice_end);
/* Lists the pending operations that are not enabled in ex->blocked. */
void scheduler_list_blocked(void);
/* The execution is complete and the blocked agents are listed: those that wait for a value they assume stop. */
void scheduler_fail_assumptions(void);
/* WEAK-6: does the thread wait to the end, because the engine says so? */
static inline bool scheduler_holds(const Thread *thread)
{
    return UNLIKELY(rt.ex->held_count) && execution_holds(rt.ex, thread->id, rt.agents[thread->id].steps);
}
/* Is such a thread enabled? */
bool scheduler_holds_up(void);

#endif
