/* cancel.h - cancellation (deferred) and cleanup handlers
 *
 * A thread acts on a request when it reaches a cancellation point: a blocking call, a
 * sleep or pthread_testcancel. Such a call reads RES_CANCEL of its thread. The linked program
 * lists the functions it calls; in programs that never call pthread_cancel cancellation
 * points read nothing and are no steps.
 */
#ifndef RT_SYNC_CANCEL_H
#define RT_SYNC_CANCEL_H

#include <pthread.h>

#include <stdbool.h>

typedef enum CancelWatch {
    CANCEL_READ,    /* a request is noticed when the step runs              */
    CANCEL_ENABLES  /* a request also enables the step, whatever its other guard says */
} CancelWatch;

/* Can the current thread be cancelled now? A function of its own history. */
bool cancel_possible(void);
/* Adds RES_CANCEL to the operation being announced, if the thread can be cancelled. */
void cancel_watch(CancelWatch watch);
/* Inside the step, whose nth access is the one that cancel_watch added: must the thread act on
 * a request? */
bool cancel_pending(unsigned nth);
/* Acts on it: the thread unwinds and ends with PTHREAD_CANCELED. */
_Noreturn void cancel_act(void);
/* A cancellation point without another operation. */
void cancel_test(void);

/* Requests the cancellation of a thread. A step; 0 or ESRCH. */
int cancel_request(pthread_t handle);
/* 0 or EINVAL; *old may be NULL. */
int cancel_set_state(int state, int *old);
int cancel_set_type(int type, int *old);

/* -- cleanup handlers, newest first ---------------------------------------------------
 * In C they are frames that the compiled macro jumps back into (glibc's
 * __pthread_unwind_buf_t), or plain functions. */
struct Cleanup {
    struct Cleanup *next;
    void *frame;                   /* where to jump, or NULL: */
    void (*routine)(void *argument);
    void *argument;
};

void cancel_push_frame(void *frame);
void cancel_push_routine(void (*routine)(void *argument), void *argument);
/* Removes the newest handler; runs a routine if asked for. */
void cancel_pop(bool execute);
/* Runs the remaining handlers. Does not return if one of them is a frame: that one continues
 * with cancel_unwind_next. */
void cancel_unwind(void);
_Noreturn void cancel_unwind_next(void);

#endif
