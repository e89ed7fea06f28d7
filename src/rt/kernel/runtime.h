/* runtime.h - the state of the runtime, shared by its files
 *
 * The program under test runs on coroutines of one operating system thread, and
 * its code calls hooks from everywhere; so the runtime's state is one global, `rt`.
 * Nothing in it outlives the process; what must is in RtShared, in the region.
 *
 * A thread is in one of these states between two steps:
 *   PENDING  it has announced its next operation and waits in step_wait;
 *   NEW      it was created, its first code has not run yet;
 *   OVER     it has terminated or was stopped.
 * Exactly one thread is RUNNING while program code runs.
 */
#ifndef RT_KERNEL_RUNTIME_H
#define RT_KERNEL_RUNTIME_H

#include <stdio.h>

#include "base/fingerprint.h"
#include "rt/abi/hooks.h"
#include "rt/kernel/layout.h"
#include "rt/kernel/options.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- Threads ------------------------------------------------------------ */

enum { MAX_ANNOUNCED = 256, INLINE_ACCESSES = 3 };

typedef enum ThreadState { THREAD_ABSENT, THREAD_NEW, THREAD_PENDING, THREAD_RUNNING, THREAD_OVER } ThreadState;

/* Why the next operation of a thread cannot take the fast path. */
enum {
    SPECIAL_CHILDREN = 1, /* threads it created have not run their first code    */
    SPECIAL_SPIN = 2,     /* it is in a spin loop                                 */
    SPECIAL_SECTION = 4,  /* it is in an atomic section                           */
    SPECIAL_STORE = 8,    /* its event is a visible plain store: `after` is not set yet */
    SPECIAL_VERBOSE = 16, /* call stacks are recorded                             */
    SPECIAL_FIRST = 32,   /* it has not taken a step yet                          */
    SPECIAL_REPEAT = 64,  /* its iterations are observed, see repeat.h            */
    SPECIAL_CHANGES = 128, /* what it changes is summed up, see changes.h          */
    SPECIAL_WEAK = 256,   /* atomic operations are weak, see weak_step.h: they alone leave the fast path */
    SPECIAL_SIGNALS = 512, /* it takes signals, see interrupt.h                    */
    SPECIAL_DEEP = 1024,  /* its stack was extended: each step looks how deep it is */
    SPECIAL_WATCHED = 2048 /* properties are looked at behind its steps            */
};

/* Why a plain access of a thread needs more than a check for races. */
enum { SLOW_VISIBLE = 1, SLOW_SPIN = 2, SLOW_SECTION = 4, SLOW_VOLATILE = 8, SLOW_REPEAT = 16, SLOW_CHANGES = 32,
       SLOW_SHARED = 64 };

/* The operation a parked thread waits with. */
typedef struct Pending {
    Access *accesses;          /* first `count`; the inline ones or transient memory */
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
typedef struct Repeat Repeat;
typedef struct Changes Changes;
typedef struct Revisit Revisit;
typedef struct Park Park;
typedef struct Tls Tls;
typedef struct Message Message;
typedef struct Actor Actor;

/* The call of the runtime in which code of the program waits, see frame.h. */
typedef struct CallFrame {
    uint64_t base;             /* 0: not known                                     */
    uint64_t words[2];         /* a hash of its arguments                          */
    uint32_t parks;            /* how often it has waited                          */
} CallFrame;

/* An agent of the current execution: a thread, an actor, or a message being handled. */
typedef struct Thread {
    void *context;             /* while it is not running                          */
    void **borrows;            /* a message: where the context is that its first step resumes */
    Message *message;          /* of a message, else NULL                          */
    Actor *actor;              /* whose code it runs: for the start of an actor, and messages */
    AgentId id;
    AgentId strand;            /* whose stack and heap it uses, and its name for the race detector:
                                  itself, or the actor whose code it runs          */
    uint32_t seat;             /* of the strand: where its stack and heap are, see seat.h */
    uint32_t place;            /* like the seat, but as if the first thread of its node were main */
    uint32_t seated;           /* threads and actors that were created as its children */
    uint32_t own_seat;         /* the seat, or of the first thread of a process the one that it would have if it had
                                  not its parent's                                 */
    uint32_t forked;           /* processes that it has made                       */
    uint8_t state;             /* ThreadState                                      */
    uint16_t special;          /* SPECIAL_*                                        */
    uint8_t stopped;           /* OVER because of a bug, an exit or a bound        */
    uint8_t has_event;         /* last_event is valid                              */
    uint8_t plain_slow;        /* SLOW_*                                           */
    uint8_t node;              /* of a cluster, see node.h; else 0                 */
    uint8_t process;           /* see process.h                                    */
    bool travels;              /* of the network: continues when its node has ended */
    bool helps;                /* the runtime has made it for itself               */
    bool killed;               /* its node has crashed: it leaks nothing           */
    bool ends;                 /* its node has ended, by its own call              */
    uint8_t noise;             /* sennit_rt_noise, while it is not running         */
    uint32_t max_steps;        /* it stops after so many                           */
    uint32_t strong_step;      /* with so many steps taken, its next one is strongly fair; else UINT32_MAX */
    uint32_t last_event;       /* its newest event                                 */
    uint32_t looped, loops;    /* events when it was on a back edge, and how often since; see spin_pass.h */
    int saved_errno;
    uint32_t children;         /* threads it created, plus clock_base              */
    uint32_t assistants;       /* of them, those of the runtime: of the network, timers */
    uint32_t decisions;        /* steps that only decided a condition on inputs    */
    uint32_t inputs;           /* symbolic inputs it has requested                 */
    uint32_t depth;            /* SPECIAL_DEEP: how far it has come on its stack, in pieces */
    uint32_t detours;          /* it has come back from, see spin/detour.h         */
    uint32_t clock_base;       /* a message: the actor's clock when it was consumed, see race_clock.h */
    uint32_t drawn;            /* random numbers of the system it has got          */
    uint32_t named;            /* children whose names are relative to it          */
    AgentId last_named;        /* the newest of them                               */
    AgentId next_new;          /* list of created threads that have not started,   */
    AgentId last_new;          /* and its last element, the newest child           */
    uint32_t section_depth;
    uint32_t section_base;     /* accesses of the step before the newest operation */
    bool observes;             /* its section is that of an observer               */
    bool looks;                /* ... in which it looks at a property               */
    const char *section_kept;  /* what its section did that cannot be undone; NULL: nothing */
    uint32_t store_event;      /* SPECIAL_STORE: the event whose `after` is not set */
    void (*body)(void *);
    void *argument;
    void *slot;
    Spin *spin;
    Repeat *repeat;
    Changes *changes;
    Revisit *revisit;
    Park *park;
    Tls *tls;
    void *fpenv;               /* see fpenv.h                                      */
    CallFrame frame;               /* while it is not running                          */
    Fingerprint segment;       /* its plain accesses since its newest step, see shared.h */
    Pending pending;
} Thread;

/* The operation being announced by the running thread. Its accesses are written at the
 * end of ex->accesses, where they stay if the thread continues at once. */
typedef struct Announced {
    uint64_t site;
    uint16_t op;
    uint16_t flags;
    uint16_t count;
    uint16_t guards;
    const int64_t *live[MAX_ANNOUNCED];
} Announced;

/* ---- What survives a process ----------------------------------------------- */

/* An agent's name: nth child of its creator. */
typedef struct AgentName {
    AgentId creator;
    uint32_t nth;
    AgentId first_child, next_sibling; /* AGENT_NONE ends the list */
    uint64_t start;                    /* address of its start routine, 0 if unknown */
    char name[40];                     /* of an actor or, in a verbose execution, a message; or "" */
} AgentName;

typedef struct RtShared {
    uint32_t agent_count;
    bool adding;                       /* a worker is adding an agent */
    uint64_t symmetric;                /* messages received after an equal one, in all executions */
    uint64_t deep_stacks, deep_site;   /* how often a stack of the program was used up, and where first */
    uint64_t longest;                  /* steps of the longest execution, see busiest.h */
    uint64_t busiest, busiest_site;    /* most of them were at this place               */
    char message[256];                 /* why the exploration had to stop */
    AgentName agents[RT_MAX_AGENTS];
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
    uint32_t free_until;       /* behind the plan it continues at once below so many events: slice_end, if there
                                  is no mark to come */
    uint32_t max_steps;        /* per thread or actor                              */
    uint32_t execution;        /* number of this execution, or of the one that it continues, > 0 */
    uint32_t continued;        /* how many executions were continued               */
    bool plain_visible;
    bool many_globals;         /* some globals are restored by dirty tracking      */
    bool fp_control;           /* some thread changed its floating-point environment */
    bool time_used;            /* some thread looked at the clock, or slept        */
    uint8_t node;              /* of the thread that ran last, see node.h          */
    uint8_t process;           /* whose memory is in place, see process.h          */
    uint32_t plan_length;
    uint32_t slice_end;        /* default policy: number of events at which the time slice of the
                                  running thread ends; 0 if another policy applies */
    uint32_t stop_at;          /* number of events after which the execution stops */
    uint32_t mark_at;          /* number of events at which its state is kept; UINT32_MAX: none */

    Announced announced;
    AgentId last;              /* agent of the last step, AGENT_NONE at first      */
    Thread *starter;           /* runs the first code of threads it created        */
    CallFrame frame;               /* of the running thread                            */
    uint64_t main_frame;       /* main has returned: its stack is dead below this  */
    void *main_context;        /* of scheduler_run, which waits for the end of the execution */
    int *errno_location;
    bool stopped_agents;       /* some agent was stopped, or ended the process: waiting is no deadlock */
    bool halted_agents;        /* some agent was stopped (thread_halt)             */
    bool begins_again;         /* the execution has to, see thread_need_clear      */
    uint32_t waits_past_bound; /* agents that wait, since they may not time out any more */
    void (*look)(void);        /* called before each step is decided; NULL: not    */
    void (*mark)(void);        /* keeps the state; may set mark_at anew            */
    bool marks;                /* the threads have stopped for that                */
    bool over;                 /* the execution is, but for assumptions that fail  */
    bool detours;              /* a thread has stopped behind a detour (SPIN-22)   */
    bool cycle_found;          /* a deadlock was reported in this execution        */
    uint32_t quiet_waiters;    /* pending steps with EVENT_QUIET                   */
    uint64_t pending[RT_MAX_AGENTS / 64]; /* bits: state is PENDING         */

    RtOptions options;
    RtShared *shared;
    Thread *threads;           /* RT_MAX_AGENTS                             */
} Runtime;

/* Hidden: everything is linked into one file, so it is accessed directly. */
extern Runtime rt __attribute__((visibility("hidden")));

static inline Thread *thread_get(AgentId agent) { return &rt.threads[agent]; }
/* The agent relative to which the children of a thread are named. */
static inline Thread *thread_namer(const Thread *thread) { return thread_get(thread->strand); }
/* How a place of the program is named in events and findings. */
static inline uint64_t site_name(const SennitSite *site) { return (uint64_t)(uintptr_t)site; }

#endif
