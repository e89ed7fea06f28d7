/* lifetime.h - the life of a thread: creation, end, join, detach
 *
 * The record of a thread holds what its own calls and the primitives need to know about it. A
 * field belongs to the thread itself unless it is the value of a resource, which other threads
 * read and change in steps that access that resource.
 */
#ifndef RT_SYNC_LIFETIME_H
#define RT_SYNC_LIFETIME_H

#include <pthread.h>

#include "rt/sync/lock.h"

typedef struct Condvar Condvar;
typedef struct Futex Futex;
typedef struct Cleanup Cleanup;
typedef struct KeyValue KeyValue;
typedef struct Key Key;
typedef struct Creations Creations;
typedef struct SignalQueue SignalQueue;

typedef struct ThreadRecord {
    AgentId agent;           /* AGENT_NONE if it never starts                             */
    pthread_t unborn;        /* then this is its handle, else 0                           */
    Creations *creations;    /* how many it has created, by place; with --max-children    */
    uint32_t unborn_count;   /* of its children, those that never start                   */
    void *(*start)(void *argument);
    void *argument;
    void *result;

    /* values of resources */
    int64_t end;             /* RES_END: 0 running, 1 ended, 2 joined                     */
    int64_t woken;           /* RES_WAKE: Wake, see condvar.h                             */
    int64_t cancel;          /* RES_CANCEL: 1 if cancellation was requested               */

    uint64_t reading_place;  /* where it read the clock last,                             */
    uint32_t readings;       /* and how often before, at that place only;                 */
    uint32_t idle_readings;  /* of these, the last ones without a step between them,      */
    uint32_t reading_step;   /* of which it had taken so many                             */
    size_t stack_size;       /* that was asked for; 0: the default                        */
    bool detached;
    bool ending;             /* unwinding or later: cannot be cancelled any more          */
    bool cancel_disabled;
    bool waits_past_bound;   /* see sync.h                                                */
    uint32_t timeouts;       /* how often it timed out                                    */
    uint32_t spurious;       /* how often it woke up spuriously                           */
    uint32_t failed;         /* how many of its weak exchanges failed for no reason       */
    uint64_t signals_blocked; /* bit n-1: signal n                                        */
    SignalQueue *signals;    /* that others have sent to it, see signals.h; or NULL       */
    SignalQueue *sent;       /* by itself, where others send none, while it blocks them   */
    uint64_t signals_known;  /* may wait, as far as it has seen                           */
    uint32_t handlers;       /* of signals that are running                               */
    uint32_t interrupts;     /* of these, those of signals that came from elsewhere       */
    uint32_t timers;         /* how often it has set one, see timer.h                     */
    uint8_t interruption;    /* what a handler does to its call, see interrupt.h          */
    bool interrupted;        /* its call was                                              */
    bool masks_again;        /* after the first handler its mask is this one again:       */
    uint64_t mask_again;
    bool no_point;           /* between its operations it takes no signals                */
    Condvar *waits_on;       /* between the two steps of a condition wait                 */
    Futex *futex;            /* between the two steps of a futex wait                     */
    uint32_t futex_bits;     /* by which wake-ups it can be woken there                   */
    Witness waits_here;      /* its place                                                 */
    Witness last;            /* who has joined or detached it                             */
    Cleanup *cleanups;       /* newest first                                              */
    Lock *robust_held;
    Key *keys;               /* keys it created, newest first                             */
    uint32_t key_count;
    KeyValue *values;        /* its thread-specific values                                */
    char name[16];
    int64_t named;           /* RES_THREAD_NAME: how often the name was set               */
} ThreadRecord;

/* The record of main, which was not created by a call. */
ThreadRecord *lifetime_of_main(void);
/* The record of main, or of the first thread of the process, whichever thread of it runs; and of any process. */
ThreadRecord *lifetime_first(void);
ThreadRecord *lifetime_first_of(unsigned process);
/* The record of a thread that continues in a copy of the process where the running thread is. */
ThreadRecord *lifetime_fork(Thread *child);
/* The record of the current thread. */
static inline ThreadRecord *lifetime_self(void)
{
    ThreadRecord *thread = rt.self->slot;
    return LIKELY(thread) ? thread : lifetime_of_main();
}
/* The record of a thread by its handle; NULL if there is no such thread. */
ThreadRecord *lifetime_find(pthread_t handle);
pthread_t lifetime_handle(const ThreadRecord *thread);

/* Creates a thread. Not a step: what the child does is ordered after the creator's current step by
 * creation. `name` is the program's start function, for reports. With --max-children it may be
 * one that never starts: its creator sees no difference, but a thread that joins it is stopped by
 * that bound. */
ThreadRecord *lifetime_create(void *(*start)(void *argument), void *argument, const void *name, bool detached);
/* A detached thread of the runtime, which no bound on threads counts. */
AgentId lifetime_create_own(void *(*start)(void *argument), void *argument);
/* 0, ESRCH or EINVAL. */
int lifetime_detach(pthread_t handle);

typedef enum JoinPatience { JOIN_WAIT, JOIN_TRY, JOIN_TIMED } JoinPatience;

/* Waits for the end (JOIN_WAIT), or may return EBUSY (JOIN_TRY) or ETIMEDOUT (JOIN_TIMED). On success
 * *result is what the thread returned, with its shadow. */
int lifetime_join(pthread_t handle, void **result, JoinPatience patience, const struct timespec *deadline);

/* Stores the first `size` bytes of a joined result in the program's variable: a plain write. */
void lifetime_hand_over(void *const *taken, void *to, size_t size);

/* Ends the current thread: cleanup handlers, destructors of its values, the exit step. */
_Noreturn void lifetime_exit(void *result);
/* The part after the cleanup handlers. */
_Noreturn void lifetime_finish(void);
/* The process of the current thread is no more: nothing of the program runs. */
_Noreturn void lifetime_kill(void);

#endif
