/* cancel.h - cancellation (deferred) and cleanup handlers
 *
 * A thread acts on a request when it reaches a cancellation point: a blocking call, a
 * sleep or pthread_testcancel. Such a call reads RES_CANCEL of its thread. Programs that
 * never call pthread_cancel are known by what they were linked from; in them nothing is
 * read and nothing costs.
 */
#ifndef RT_SYNC_CANCEL_H
#define RT_SYNC_CANCEL_H

#include <pthread.h>

#include <stdbool.h>

typedef enum CancelWatch {
    CANCEL_READ,    /* a request is noticed when the step runs              */
    CANCEL_ENABLES  /* and it enables the step, whose other guard may fail  */
} CancelWatch;

/* Can the current thread be cancelled now? Its own history tells. */
bool cancel_possible(void);
/* Adds the request to the operation being announced, if the thread can be cancelled. */
void cancel_watch(CancelWatch watch);
/* Inside the step, whose nth access is the one that cancel_watch added: is there a request
 * that the thread has to act on? */
bool cancel_pending(unsigned nth);
/* Acts on it: the thread unwinds and ends with PTHREAD_CANCELED. */
_Noreturn void cancel_act(void);
/* A cancellation point of its own. */
void cancel_test(void);

/* Asks a thread to cancel. A step. */
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
/* Runs the handlers that are left. Does not return if one of them is a frame: that one
 * goes on with cancel_unwind_next. */
void cancel_unwind(void);
_Noreturn void cancel_unwind_next(void);

#endif
