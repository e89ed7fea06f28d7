/* interrupt.h - a thread takes signals: between its steps, and where it waits
 *
 * In a program in which signals can arrive (signals_come) each visible operation of a thread is preceded by a step that
 * looks whether one waits that it does not block, and an operation that waits is enabled by one, too. The handler runs
 * there, on the thread's stack; then the operation continues to wait, or its call fails with EINTR.
 */
#ifndef RT_SIGNAL_INTERRUPT_H
#define RT_SIGNAL_INTERRUPT_H

#include "rt/kernel/runtime.h"
#include "rt/signal/signals.h"

/* What becomes of a call that a handler interrupts. */
typedef enum Interruption {
    INTERRUPT_GOES_ON, /* it continues to wait                   */
    INTERRUPT_RESTARTS, /* it fails, unless SA_RESTART was given */
    INTERRUPT_FAILS     /* it fails                            */
} Interruption;

/* For step.c: before an operation, and where one with guards would wait. True: that has been done. */
void interrupt_point(Thread *self);
bool interrupt_wait(Thread *self);

/* Before step_wait of an operation that waits: what a handler does to it. */
void interrupt_allow(Interruption what);
/* After step_wait: was it interrupted? Then there is no step, and the call fails with EINTR. */
bool interrupt_happened(void);

/* A thread that does not wait for anything in particular (it sleeps) takes signals. True if the call fails with
 * EINTR. */
bool interrupt_now(Interruption what);

/* Another mask until the call that begins returns, as of ppoll (NULL: as it is). Returns the old one. */
uint64_t interrupt_mask(const sigset_t *mask);
void interrupt_unmask(uint64_t before);

/* Do signals that the running thread blocks and sends itself wait where those of others do? */
bool interrupt_has_queue(void);
/* The next signal for its handlers, if the thread knows that there may be one that it does not block; 0: none. A
 * step. */
int interrupt_next(SignalSource *source);

/* Takes one of these signals when there is one: its number, or 0 if it was interrupted, or (without `waits`) if there
 * is none. */
int interrupt_take(uint64_t wanted, bool waits, SignalSource *source);
/* Until a handler has run. */
void interrupt_pause(void);

/* The running thread calls a function that is not safe in a signal handler: named, if it is in one that has interrupted
 * it anywhere. */
void interrupt_unsafe(const char *function);

/* Does a blocked thread wait where it cannot take a signal that is there? */
bool interrupt_missed(const Thread *thread);

#endif
