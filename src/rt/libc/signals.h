/* signals.h - signals without handlers: which are ignored, which a thread blocks, what sending one does
 *
 * Whether a signal is ignored is the value of its RES_SIGNAL: a step sets it, and sending the signal reads it. What a
 * thread blocks, and what it was sent meanwhile, follows from its own history.
 */
#ifndef RT_LIBC_SIGNALS_H
#define RT_LIBC_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Of the program, or of the running thread's node. */
uint64_t signals_resource(int number);
/* Once per process. */
void signals_init(void);
/* The value of RES_SIGNAL: 1 if the program ignores the signal. Inside a step that accesses it. */
int64_t signals_ignored(int number);
/* A step: ignores the signal from now on, or not. True if it was ignored before. */
bool signals_set(int number, bool ignored);
/* The same before main: every execution starts so. */
void signals_set_initially(int number, bool ignored);
/* A step: is it ignored? */
bool signals_get(int number);
bool signals_valid(int number);

/* Does the current thread block the signal? */
bool signals_blocked(int number);
/* Changes the set that the current thread blocks, as pthread_sigmask does, and delivers what it has unblocked.
 * 0 or EINVAL; `set` and `old` may be NULL. */
int signals_mask(int how, const sigset_t *set, sigset_t *old);

/* Stores the signals that the current thread was sent while it blocks them. */
void signals_pending(sigset_t *set);

/* The current thread sends itself a signal with the function named. A crash if it ends the process. */
void signals_send_self(int number, const char *function);
/* It sends another thread one, or the process although it blocks it: not modelled unless it is ignored. */
void signals_send_away(int number, const char *function);

#endif
