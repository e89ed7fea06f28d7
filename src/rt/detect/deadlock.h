/* deadlock.h - deadlocks and livelocks
 *
 * A deadlock cycle is reported as soon as its last thread blocks, even if other threads
 * can continue. The threads that are still blocked at the end of an execution are deadlocked
 * (or in a livelock, if they wait in spin loops), unless some thread was stopped early: it
 * might have been the one they wait for.
 */
#ifndef RT_DETECT_DEADLOCK_H
#define RT_DETECT_DEADLOCK_H

typedef struct Thread Thread;

/* The running thread has just parked with an operation that is not enabled. */
void deadlock_check_cycle(Thread *thread);
/* No agent is enabled; ex->blocked is filled. */
void deadlock_check_end(void);

#endif
