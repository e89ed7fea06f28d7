/* program_c.h - a C program with threads as a program under test
 *
 * The program's code is linked into this process and runs on coroutines of one
 * operating system thread. An execution is reset in memory, not by starting a
 * process; when the program kills the process, the next process goes on with the
 * same Program, because everything that must survive is in the region.
 */
#ifndef RT_KERNEL_PROGRAM_C_H
#define RT_KERNEL_PROGRAM_C_H

#include "base/error.h"
#include "base/region.h"
#include "core/program.h"
#include "sym/session/archive.h"

enum { CHANNELS_BAG, CHANNELS_FIFO, CHANNELS_CAUSAL, CHANNELS_MAILBOX };

typedef struct RtInputFile {
    const char *path;
    uint64_t size;
} RtInputFile;

typedef struct RtOptions {
    int argc;               /* handed to the program's main; argv[argc] is NULL             */
    char **argv;
    char **envp;
    bool plain_visible;     /* plain accesses are visible operations, not checked for races */
    bool spurious;          /* condition waits may wake by themselves                       */
    uint32_t channels;      /* CHANNELS_*: which orders of messages are possible            */
    bool symmetry;          /* equal messages of one sender are not told apart              */
    bool macro_steps;       /* pickers see the local steps of actors as parts of the one before */
    uint32_t max_lost;      /* messages that the network may lose in an execution,          */
    uint32_t max_duplicated; /* deliver twice,                                              */
    uint32_t max_crashed;   /* and how often actors may crash                               */
    uint32_t max_timeouts;  /* of a thread; after that its timed waits wait                 */
    bool check_leak;
    bool unset;             /* memory that nobody has set holds inputs                      */
    bool check_overflow;    /* signed arithmetic that overflows is a finding                */
    bool ignore_exit_code;  /* a non-zero exit status is not a finding                      */
    bool isolate;           /* each execution in a process of its own                       */
    bool verbose;           /* record call stacks (rt_stack_of_*); slow                     */
    void (*on_step)(uint32_t event); /* verbose: called in the thread that takes the step, when
                               it begins; NULL: not called                                  */
    void (*on_bug)(const char *text); /* called in the thread that runs into a bug; NULL: not */
    bool show_output;       /* what the program prints is printed, not dropped              */
    const char *solver;     /* path of the solver program; NULL: only what is cheap is solved */
    uint32_t solver_timeout_ms; /* per query; 0: a default                                 */
    const char *smtlib;     /* where queries of the solver are written; NULL: nowhere      */
    uint32_t max_rounds;    /* of a loop; 0: no bound                                       */
    uint32_t max_children;  /* of a thread, that begin; 0: no bound                         */
    uint32_t min_args, max_args, arg_size; /* further arguments that are inputs; 0: none    */
    uint64_t stdin_size;    /* bytes of standard input that are inputs; 0: it is as it is   */
    const RtInputFile *files; /* files that are inputs                                      */
    uint32_t file_count;
    uint32_t hang_seconds;  /* longest time without a visible operation; 0: 10              */
} RtOptions;

/* How a worker process ends when the program under test ended it. The finding is in the
 * execution, whose end is END_CRASHED. */
enum {
    RT_EXIT_CRASHED = 71,      /* crash, or no visible operation for hang_seconds           */
    RT_EXIT_NOT_MODELLED = 72  /* program_c_message says what; the run ends with EXIT_USAGE */
};

/* One per process tree, before the first fork; reserves address space at fixed places and
 * takes the snapshot of the program's globals. `options` is copied, argv is not.
 * NULL with `error` filled if the system refuses the memory. */
Program *program_c_create(Region *region, const RtOptions *options, Error *error);

/* Why the process ended with RT_EXIT_NOT_MODELLED; "" if it did not. */
const char *program_c_message(const Program *program);

/* Calls that ran as they are: functions called by instrumented code that are neither
 * instrumented nor modelled nor harmless. Calls `each` once per name. */
void program_c_each_opaque(void (*each)(void *context, const char *name), void *context);

/* -- inputs -----------------------------------------------------------------------------
 * Of all processes since program_c_create. */

/* What was asked about inputs; false if the program has none. */
bool program_c_sym_stats(SymStats *stats);
/* Calls `each` for each place where values that depend on inputs were taken as they are; site 0:
 * at others. `what` was taken. */
void program_c_each_concretised(void (*each)(void *context, uint64_t site, const char *what, uint64_t count),
                                void *context);
/* Both of processes on other machines or before this one; sites are the same in all of them. */
void program_c_add_sym_stats(const SymStats *stats);
void program_c_add_concretised(uint64_t site, const char *what, uint64_t count);

/* -- coverage ---------------------------------------------------------------------------
 * What was executed in any execution of any process since program_c_create, if the program
 * was compiled for that. Lines and functions may be listed more than once: they were reached
 * if one entry says so. */

typedef enum RtCoverKind { RT_COVER_LINE, RT_COVER_FUNCTION, RT_COVER_BRANCH } RtCoverKind;

typedef struct RtCoverPoint {
    Place place;
    RtCoverKind kind;
    uint32_t ordinal;    /* of a branch among those at the same place  */
    uint32_t outcome;    /* of a branch; 0: its condition holds        */
    uint32_t target;     /* of a branch: the line it goes to           */
    bool hit;
} RtCoverPoint;

bool program_c_has_coverage(void);
void program_c_each_cover(void (*each)(void *context, const RtCoverPoint *point), void *context);

typedef struct RtCoverCount {
    uint32_t outcomes, taken; /* of branches */
} RtCoverCount;
RtCoverCount program_c_count_cover(void);

/* From now on each execution begins with no mark set, so that one can ask afterwards which
 * ways it went at branches: a byte for each outcome, in the order of program_c_each_cover.
 * Not known of executions that crashed or ran in a process of their own. */
void program_c_cover_each(void);
void program_c_ways_taken(uint8_t *ways);

/* Calls `each` once for every name given to sennit_reach. */
void program_c_each_goal(void (*each)(void *context, const char *name, bool is_reached), void *context);

/* What was executed and reached as bytes that are 0 or 1, in the region; the same places mean the
 * same in every process of this binary. */
typedef struct RtMarks {
    uint8_t *bytes;
    size_t size;
} RtMarks;
enum { RT_MARKS = 2 };
RtMarks program_c_marks(unsigned which);

/* -- for reports ------------------------------------------------------------------------
 * They also work in the process that forked the one that ran the execution and perhaps died
 * in it: what they need (recorded call stacks) is in the region. */

typedef struct RtLock {
    uint64_t resource;   /* a name for ProgramOps.resource_name                            */
    uint64_t site;       /* where the agent acquired it                                    */
    uint32_t event;      /* the step that did                                              */
    bool shared;         /* held for reading                                               */
} RtLock;

/* Locks that `agent` holds after the first `position` events of `ex`, oldest first.
 * Answers how many were written, at most `max`. */
uint32_t rt_locks_held(const Execution *ex, uint32_t position, AgentId agent, RtLock *locks, uint32_t max);

/* Whom a blocked step waits for: the owner of a lock or the thread to be joined, after the
 * first `position` events; AGENT_NONE if that is not one agent. */
AgentId rt_waits_for(const Execution *ex, uint32_t position, const Access *accesses, uint32_t count);

/* What an agent of `ex` is that is a message; false if it is none. */
/* Messages of all complete executions that were received behind an equal one (--symmetry). */
uint64_t rt_symmetric(void);
void rt_add_symmetric(uint64_t count);
bool rt_mail(const Execution *ex, AgentId agent, Mail *mail);

/* While an execution runs: the operation that an agent is about to do, with its first resource;
 * false if it has ended or is not announced yet. */
bool rt_pending(AgentId agent, uint16_t *op, uint64_t *resource, uint64_t *site);

/* Where the global variable of this name is; 0 if there is none, or more than one. */
uint64_t rt_global_address(const char *name);

typedef struct RtFrame {
    uint64_t address;    /* return address (the place of the call is just before it)       */
    char function[96];   /* "" if unknown                                                  */
} RtFrame;

/* The call stack of a step (verbose only), innermost first; 0 if none was recorded. */
uint32_t rt_stack_of_event(const Execution *ex, uint32_t event, RtFrame *frames, uint32_t max);
/* The call stack of the operation that an agent last waited with: of a blocked agent, where
 * it is. */
uint32_t rt_stack_of_wait(const Execution *ex, AgentId agent, RtFrame *frames, uint32_t max);
/* The call stack of the n-th place of a finding, e.g. both sides of a data race. */
uint32_t rt_stack_of_finding(const Execution *ex, uint32_t finding, uint32_t n, RtFrame *frames, uint32_t max);

#endif
