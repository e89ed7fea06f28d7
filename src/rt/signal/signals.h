/* signals.h - signals: what the program does about them, which a thread blocks, which wait
 *
 * What the program does about a signal is the value of its RES_SIGNAL: a step sets it, and delivering the signal reads
 * it. What waits for a thread, or for the process, is the value of a RES_PENDING. What a thread blocks follows
 * from its own history, and so does what it sent itself meanwhile where no signals of others can come. A signal that a
 * thread sends itself is delivered at once, unless it blocks it; any other waits from the step that sends it until a
 * thread takes it (interrupt.h).
 */
#ifndef RT_SIGNAL_SIGNALS_H
#define RT_SIGNAL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ThreadRecord ThreadRecord;

enum { SIGNALS = 64 };
static inline uint64_t signals_bit(int number) { return 1ull << (number - 1); }

/* What the program does about a signal. */
typedef struct SignalAction {
    union {
        void (*plain)(int);
        void (*detailed)(int, siginfo_t *, void *); /* with SA_SIGINFO */
    } handler;   /* or SIG_DFL, SIG_IGN */
    int flags;   /* SA_*                */
    uint64_t mask;
} SignalAction;

static inline bool signals_is_handler(const SignalAction *action)
{
    return action->handler.plain != SIG_DFL && action->handler.plain != SIG_IGN;
}

/* Where a signal comes from. */
typedef struct SignalSource {
    int code; /* SI_USER, SI_TKILL, SI_QUEUE, SI_TIMER, SI_KERNEL */
    union sigval value;
    const char *function;
    int process; /* that has sent it, if there are several; SIGCHLD: that has ended, and how */
    int status;
} SignalSource;

/* Signals that have arrived and that no thread has taken. */
typedef struct SignalQueue {
    int64_t waiting;             /* bits; the value of its RES_PENDING */
    SignalSource source[SIGNALS];
} SignalQueue;

bool signals_valid(int number);
/* Of the program, or of the running thread's node. */
uint64_t signals_resource(int number);
uint64_t signals_resource_of(unsigned process, int number);
/* Once per process. */
void signals_init(void);
/* The value of RES_SIGNAL: 0 by default, 1 if the program ignores the signal. Inside a step that accesses it. */
int64_t signals_value(int number);
int64_t signals_value_of(unsigned process, int number);
/* In a step that reads RES_SIGNAL of SIGCHLD of that process: do its children vanish at their end? */
bool signals_forgets_children(unsigned process);
/* The running thread forks: what the new process does about signals. */
void signals_fork(unsigned process);
/* Does the process survive writing to a pipe that has no reader? Inside such a step. */
bool signals_survives(int number);
/* The same: would sending it to the running thread have an effect? */
bool signals_matter(int number);
/* Behind the step: such a write fails with EPIPE, and the thread gets SIGPIPE. */
int signals_broken_pipe(void);

/* A step: what is done from now on. Returns what was done before. */
SignalAction signals_set(int number, SignalAction action);
/* The same before main: every execution starts so. */
void signals_set_initially(int number, SignalAction action);
/* A step: what is done? */
SignalAction signals_get(int number);

/* Does the current thread block the signal? */
bool signals_blocked(int number);
uint64_t signals_bits(const sigset_t *set);
/* Changes the set that the current thread blocks, as pthread_sigmask does, and delivers what it has unblocked.
 * 0 or EINVAL; `set` and `old` may be NULL. */
int signals_mask(int how, const sigset_t *set, sigset_t *old);
/* Stores the signals that wait for the current thread or the process, and that this thread blocks. */
void signals_pending(sigset_t *set);

/* The current thread sends itself a signal. A crash if it ends the process. */
void signals_send_self(int number, const SignalSource *source);
/* It sends another thread one (NULL: the process). */
void signals_send_away(ThreadRecord *to, int number, const SignalSource *source);
/* It sends another process one (0: none, as kill does to look whether there is such a process). 0 or ESRCH. */
int signals_send_to(unsigned process, int number, const SignalSource *source);

/* Signals that the current thread knows to wait and does not block any more. Did a handler run? */
bool signals_deliver_known(void);

/* A step sends a signal to the process: adds two accesses to the one being announced, and, inside the step, in which
 * these are the nth and the next one, sends it. */
void signals_announce_to(unsigned process);
void signals_reach(unsigned process, unsigned nth, int number, const SignalSource *source);
void signals_announce_process(void);
void signals_reach_process(unsigned nth, int number, const SignalSource *source);

/* What waits for a thread (NULL: for the process), and its resource. */
SignalQueue *signals_queue(ThreadRecord *thread);
int64_t signals_waiting(unsigned process);
uint64_t signals_queue_name(const ThreadRecord *thread);

/* The running thread has taken a signal: handlers run, its own and those of what else waits, or the process ends. The
 * effect of the strongest. Steps. */
typedef enum SignalEffect { EFFECT_NONE, EFFECT_RESTARTS, EFFECT_INTERRUPTS } SignalEffect;
SignalEffect signals_deliver(int number, const SignalSource *source);

/* Can signals arrive at any time in this program, and can it notice? */
bool signals_come(void);

#endif
