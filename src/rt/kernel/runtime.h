/* runtime.h - the state of the runtime, shared by its files
 *
 * The program under test runs on coroutines of one operating system thread, and
 * its code calls in from everywhere; so the runtime's state is one global, `rt`,
 * the only mutable global of the project besides sennit_rt_site. Nothing in it
 * outlives the process; what must is in RtShared, in the region.
 *
 * A thread is in one of these states between two steps:
 *   PENDING  it has announced its next operation and waits in step_wait;
 *   NEW      created, its first code has not run yet;
 *   OVER     it ended, or was stopped for good.
 * Exactly one thread is RUNNING while program code runs.
 */
#ifndef RT_KERNEL_RUNTIME_H
#define RT_KERNEL_RUNTIME_H

#include <stdio.h>

#include "rt/kernel/layout.h"
#include "rt/kernel/program_c.h"
#include "rt/kernel/step.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- Threads ------------------------------------------------------------ */

enum { MAX_ANNOUNCED = 256, INLINE_ACCESSES = 3, RT_FRAMES = 32 };

typedef enum ThreadState { THREAD_ABSENT, THREAD_NEW, THREAD_PENDING, THREAD_RUNNING, THREAD_OVER } ThreadState;

/* Why the next operation of a thread cannot take the fast path. */
enum {
    SPECIAL_CHILDREN = 1, /* threads it created have not run their first code    */
    SPECIAL_SPIN = 2,     /* it is in a loop that may have to wait                */
    SPECIAL_SECTION = 4,  /* it is in an atomic section                           */
    SPECIAL_STORE = 8,    /* a visible plain store has happened since its event   */
    SPECIAL_VERBOSE = 16, /* call stacks are recorded                             */
    SPECIAL_FIRST = 32    /* it has not taken a step yet                          */
};

/* Why a plain access of a thread is more than a check for races. */
enum { PLAIN_VISIBLE = 1, PLAIN_SPIN = 2, PLAIN_SECTION = 4 };

/* The operation a parked thread waits with. */
typedef struct Pending {
    Access *accesses;          /* first `count`; the inline ones or in run memory */
    const int64_t **live;      /* values of the guards, or NULL                   */
    uint64_t site;
    uint16_t op;
    uint16_t flags;
    uint16_t count;
    uint16_t guards;
    uint32_t capacity;
    Access inline_accesses[INLINE_ACCESSES];
    const int64_t *inline_live[INLINE_ACCESSES];
} Pending;

typedef struct Spin Spin;
typedef struct Tls Tls;
typedef struct Message Message;
typedef struct Actor Actor;

typedef struct Thread {
    void *context;             /* while it is not running                          */
    void **borrows;            /* a message: where the context is that its first step goes on in */
    Message *message;          /* of a message, else NULL                          */
    Actor *actor;              /* whose code it runs: of an actor's start and of messages    */
    AgentId id;
    AgentId strand;            /* whose stack and heap it uses, and as whom it is known to the race
                                  detector: itself, or the actor whose code it runs */
    uint8_t state;             /* ThreadState                                      */
    uint8_t special;           /* SPECIAL_*                                        */
    uint8_t stopped;           /* OVER by a bug, an exit or a bound, not by its end */
    uint8_t has_event;         /* last_event is valid                              */
    uint8_t plain_slow;        /* PLAIN_*: plain accesses need more than a check   */
    uint32_t last_event;       /* its newest event                                 */
    int saved_errno;
    uint32_t children;         /* threads it created, plus clock_base              */
    uint32_t nth_child;        /* it is its creator's nth in this execution        */
    uint32_t decisions;        /* steps in which inputs decided and nothing else happened */
    uint32_t clock_base;       /* a message: the actor's clock when it was consumed, see race.h */
    uint32_t named;            /* children that were numbered as its own           */
    AgentId last_named;        /* the newest of them                               */
    AgentId next_new;          /* list of created threads that have not started,   */
    AgentId last_new;          /* and its end, which is the newest child           */
    uint32_t section_depth;
    uint32_t section_base;     /* accesses of the step before the newest operation */
    const char *section_kept;  /* what the section did that cannot be undone; NULL: nothing */
    uint32_t store_event;      /* SPECIAL_STORE: whose `after` is still to be read  */
    void (*body)(void *);
    void *argument;
    void *slot;
    Spin *spin;
    Tls *tls;
    void *fpenv;               /* see fpenv.h                                      */
    Pending pending;
} Thread;

/* The operation being announced by the running thread. Its accesses are written at the
 * end of ex->accesses, where they stay if the thread goes on at once. */
typedef struct Announced {
    uint64_t site;
    uint16_t op;
    uint16_t flags;
    uint16_t count;
    uint16_t guards;
    const int64_t *live[MAX_ANNOUNCED];
} Announced;

/* ---- What survives a process ----------------------------------------------- */

/* An agent's name: k-th child of its creator. */
typedef struct AgentName {
    AgentId creator;
    uint32_t nth;
    AgentId first_child, next_sibling; /* AGENT_NONE ends the list */
    uint64_t start;                    /* address of its start routine, 0 if unknown */
    char name[40];                     /* of an actor or, in a verbose run, a message; or "" */
} AgentName;

typedef struct RtShared {
    uint32_t agent_count;
    bool adding;                       /* some worker adds an agent  */
    uint64_t symmetric;                /* messages behind equal ones, in all executions */
    char message[256];                 /* why exploration had to end */
    AgentName agents[EXECUTION_MAX_AGENTS];
} RtShared;

/* ---- The runtime ------------------------------------------------------------- */

typedef struct Runtime {
    /* read at every operation */
    Thread *self;              /* the running thread; NULL outside executions      */
    Execution *ex;
    Event *events;             /* of ex, and its accesses, plan, agents            */
    Access *accesses;
    const PlanStep *plan;
    Agent *agents;
    uint32_t fast_plan;        /* length of the plan, without a last step to stop at */
    uint32_t free_until;       /* default policy: event at which the turn of the running thread
                                  ends; 0 if that policy does not rule             */
    uint32_t max_steps;        /* per agent                                        */
    uint32_t run;              /* number of this execution, > 0                    */
    bool plain_visible;
    bool many_globals;         /* some globals are restored by dirty tracking      */
    bool fp_control;           /* some thread changed its floating-point environment */
    uint32_t plan_length;
    uint32_t stop_at;          /* number of events after which the execution stops */

    Announced announced;
    AgentId last;              /* who took the last step, AGENT_NONE at first      */
    Thread *starter;           /* runs the first code of threads it created        */
    uint64_t main_frame;       /* main has returned: its stack is dead below this  */
    void *main_context;        /* where `run` waits for the end of the execution   */
    int *errno_location;
    bool stopped_agents;       /* some agent was stopped: waiting is no deadlock   */
    bool cycle_found;          /* a deadlock was reported in this execution        */
    uint32_t quiet_waiters;    /* pending steps with EVENT_QUIET                   */
    uint64_t pending[EXECUTION_MAX_AGENTS / 64]; /* bits: state is PENDING         */

    RtOptions options;
    RtShared *shared;
    Thread *threads;           /* EXECUTION_MAX_AGENTS                             */
} Runtime;

/* Hidden: everything is linked into one file, so it is reached directly. */
extern Runtime rt __attribute__((visibility("hidden")));

static inline Thread *thread_get(AgentId agent) { return &rt.threads[agent]; }
static inline Thread *thread_namer(const Thread *thread) { return thread_get(thread->strand); }
static inline Event *step_event(void) { return &rt.ex->events[rt.ex->event_count - 1]; }

/* ---- scheduler.c: who is next ---------------------------------------------- */

/* Can the pending operation of the thread run now? */
bool thread_enabled(const Thread *thread);
/* Does the guard of a pending operation hold now? */
bool guard_holds(const Access *access, const int64_t *live);
/* The current value of what an access of a pending operation is about. */
int64_t guard_value(const Access *access, const int64_t *live);
/* Parks the running thread with what it announced, lets others run, and returns when its
 * step begins; the event exists. */
void scheduler_park(Thread *self);
/* Runs the first code of the threads that `self` created. */
void scheduler_start_children(Thread *self);
/* The running thread is over; goes on with another one. */
_Noreturn void scheduler_leave(void);
/* The running thread is over, but the code it ran waits to go on, as the thread that
 * borrows `*context`. Returns when the step of such a thread has begun. */
void scheduler_hand_over(void **context);
/* For code that starts with the first step of its thread. */
void scheduler_begin(Thread *self);
/* The thread is new and waits with these accesses (at most INLINE_ACCESSES), without having
 * run; `live` holds the values of those that are guards. */
void scheduler_make_pending(Thread *thread, OpKind op, uint64_t site, const Access *accesses, unsigned count,
                            const int64_t *live);
/* Ends the execution from inside the program. */
_Noreturn void scheduler_finish(ExecutionEnd end);
/* Runs agent 0 with `body` until the execution is over; ex->end tells how. */
void scheduler_run(void (*body)(void *));
/* Lists the pending operations that are not enabled in ex->blocked. */
void scheduler_list_blocked(void);

/* ---- step.c ------------------------------------------------------------------- */

/* What has to happen before a thread with SPECIAL_* bits may announce an operation. */
void step_settle(Thread *self);
/* step_wait for a thread that cannot go on at once, or is special. */
void step_wait_slow(Thread *self);

/* Opens the event of the step announced, whose accesses are in place already. */
static inline Event *step_open(Thread *self)
{
    Execution *ex = rt.ex;
    Event *event = execution_add_event(ex, self->id, rt.announced.op, rt.announced.site);
    event->access_count = rt.announced.count;
    event->flags = rt.announced.flags;
    ex->access_count += rt.announced.count;
    self->last_event = ex->event_count - 1;
    self->has_event = 1;
    return event;
}

/* May the running thread, which is not special, take its next, unguarded step at once? */
static inline bool step_goes_on(const Thread *self)
{
    uint32_t position = rt.ex->event_count;
    bool mine = position < rt.fast_plan ? rt.plan[position].agent == self->id : position < rt.free_until;
    return mine && rt.agents[self->id].steps < rt.max_steps;
}

/* ---- thread.c ------------------------------------------------------------------ */

/* A number for the next child of the running thread, and how many those of `namer` are then;
 * AGENT_NONE if there are too many. */
AgentId thread_number_child(Thread *namer);
/* The record of a new agent without code of its own. */
Thread *thread_register(AgentId agent, AgentId creator);
/* The context of an agent's own stack in which entry(argument) begins. */
void *thread_context(AgentId agent, void (*entry)(void *), void *argument);
/* Makes agent 0 for a new execution, or a child; does not run it. */
Thread *thread_make(AgentId agent, AgentId creator, void (*body)(void *), void *argument);
bool thread_init(Error *error);
/* The running thread is stopped for good and did not end by itself. */
_Noreturn void thread_halt(void);

/* ---- agents.c --------------------------------------------------------------------- */

void agents_init(RtShared *shared);
/* The number of the nth child of `creator`; AGENT_NONE if there are too many. */
AgentId agents_intern(AgentId creator, uint32_t nth);
void agents_path(AgentId agent, char *text, size_t size);
AgentId agents_find(const char *path);

/* ---- actor_mail.c ------------------------------------------------------------------ */

/* See ProgramOps.guard_holds: may the message `guard` be consumed where the actor stands so? */
bool actor_guard_holds(uint64_t guard, int64_t stand);

/* ---- deadlock.c ---------------------------------------------------------------------- */

/* The running thread has just parked with an operation that is not enabled. */
void deadlock_check_cycle(Thread *thread);
/* Nobody can go on; ex->blocked is filled. */
void deadlock_check_end(void);

/* ---- object.c: memory of models ------------------------------------------------------ */

void object_init(void);
void object_reset(void);
void object_clear(void);
/* The part of run memory in use, for the search for leaks. */
void run_memory(const void **begin, const void **end);

/* ---- bug.c --------------------------------------------------------------------------- */

/* A finding of the running thread at the current place; the caller may add to it. */
Finding *bug_add(BugKind kind);
/* Is there an earlier finding of this execution with the same kind and places? */
bool bug_repeats(const Finding *finding);
/* After the finding is complete: ends the execution if it shall stop at bugs. */
void bug_noted(void);
static inline void bug_add_site(Finding *finding, uint64_t site)
{
    if (finding->site_count < FINDING_SITES)
        finding->sites[finding->site_count++] = site;
}
static inline void bug_add_agent(Finding *finding, AgentId agent)
{
    if (finding->agent_count < FINDING_AGENTS)
        finding->agents[finding->agent_count++] = agent;
}
static inline uint64_t site_name(const SennitSite *site) { return (uint64_t)(uintptr_t)site; }

#endif
