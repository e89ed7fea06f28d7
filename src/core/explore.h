/* explore.h - the search for all executions of a program
 *
 * One Explore is one search with one strategy. All of its state is in a region, so that the search continues in a
 * new process when the program has killed the old one.
 */
#ifndef CORE_EXPLORE_H
#define CORE_EXPLORE_H

#include "base/region.h"
#include "core/estimate.h"
#include "core/execution.h"
#include "core/program.h"

typedef enum Reduction {
    REDUCTION_OPTIMAL, /* wakeup trees: one execution per class                       */
    REDUCTION_SOURCE,  /* source sets and sleep sets: complete, may start redundant ones */
    REDUCTION_NONE,    /* every interleaving                                          */
    REDUCTION_DCUTE,   /* delay flags of messages: not complete, for comparison       */
    REDUCTION_GRAPHS,  /* the search by execution graphs, with strong steps only       */
    REDUCTION_STATES,  /* every step of every state: the program must know its states  */
    REDUCTION_EXACT,   /* steps commute if both orders lead to the same state; one execution
                          per final state. The program must know its states           */
    REDUCTION_PERSISTENT /* persistent sets of the program, and sleep sets: complete for
                          executions without END_CUT, may start redundant ones        */
} Reduction;

typedef enum Strategy { STRATEGY_EXHAUSTIVE, STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_POS, STRATEGY_TURNS } Strategy;

/* Which path of the inputs comes next, for searches that will not end. All but depth first: one order of agents
 * only, one worker. */
typedef enum PathOrder { PATHS_DEPTH, PATHS_BREADTH, PATHS_COVERAGE } PathOrder;

typedef struct ExploreOptions {
    Strategy strategy;
    Reduction reduction;
    PathOrder order;
    uint32_t pct_depth;        /* STRATEGY_PCT: number of priority changes + 1             */
    uint64_t seed;             /* of all but STRATEGY_EXHAUSTIVE                           */
    int32_t max_preemptions;   /* < 0: no bound. A bound means every schedule within it, so
                                  the search uses REDUCTION_NONE                            */
    uint32_t max_agent_steps;  /* 0: no bound                                               */
    uint64_t max_executions;   /* 0: no budget                                              */
    struct Jobs *jobs;         /* shared with other workers (explore_create_jobs); NULL: this
                                  search is alone                                           */
    MemoryModel memory;        /* other than MEMORY_SC: searched by execution graphs        */
    bool graphs;               /* MEMORY_SC too, to compare                                 */
    const Execution *begun;    /* REDUCTION_NONE: only executions that begin with the first
                                  `begun_length` steps of this one; NULL: all               */
    uint32_t begun_length;
    bool keep_going;           /* do not stop at the first execution with a finding         */
} ExploreOptions;

typedef struct ExploreStats {
    uint64_t executions;       /* complete ones                                             */
    uint64_t redundant;        /* started and abandoned: they would repeat a class          */
    uint64_t probes;           /* partial runs to find the footprint of a step              */
    uint64_t blocked;          /* executions that ended with a blocked agent                */
    uint64_t failing;          /* executions with a finding                                 */
    uint64_t crashed;          /* executions that killed the process: what lies behind the
                                  crash is unknown, so the verdict is bounded               */
    uint64_t steps;            /* of complete executions                                    */
    uint64_t restored;         /* executions, also redundant ones, that the program continued from a state that it had
                                  kept, in place of running them from the beginning         */
    uint64_t states;           /* different ones, with REDUCTION_STATES                     */
    uint64_t hoped;            /* obligations that were looked for in endless executions, under weak fairness */
    uint64_t strong;           /* whether some steps were strongly fair: 1                   */
    uint64_t endless;          /* of these, those from which no end is reached; once all are known */
    uint64_t cut;              /* executions in which a limit was met: their ends are unknown */
    uint64_t cuts[CUT_COUNT];  /* the same, for each limit                                  */
    uint64_t bound_schedules;  /* executions with several agents, in one order only         */
    uint64_t bound_preemptions;/* continuations dropped by max_preemptions                  */
    uint64_t bound_delays;     /* deliveries not tried, since no delay flag required them   */
    uint64_t pruned;           /* abandoned: no deadlock searched for lies ahead (guided search) */
    uint64_t symmetric;        /* messages received after an equal one; counted by the program */
    uint64_t assumed;          /* executions in which an assumption failed                  */
    uint32_t depth;            /* longest execution                                         */
    uint32_t agents;           /* most agents in one execution                              */
    Estimate estimate;         /* of the total number of executions; filled in for reports  */
} ExploreStats;

typedef enum ExploreResult {
    EXPLORE_DONE,      /* nothing is left                                                   */
    EXPLORE_PAUSED,    /* the slice has ended; call again                                   */
    EXPLORE_WAITING,   /* no job now, other workers may give some away; call again later    */
    EXPLORE_BUDGET,    /* max_executions reached                                            */
    EXPLORE_BUG,       /* a finding, without keep_going                                     */
    EXPLORE_STOPPED,   /* the observer stopped the search                                   */
    EXPLORE_LOST,      /* the jobs do not fit the program, or the store took them away      */
    EXPLORE_DIVERGED   /* the program did not follow a plan: it is nondeterministic         */
} ExploreResult;

typedef struct ExploreObserver ExploreObserver;
struct ExploreObserver {
    /* After each execution, also a redundant one, while the program's final state can still be inspected (not
     * after END_CRASHED); false stops the search. May be NULL. */
    bool (*ended)(ExploreObserver *self, const Execution *ex);
    /* After each execution with findings (ex->findings); may be NULL. */
    void (*found)(ExploreObserver *self, const Execution *ex);
    /* Every few thousand steps, and while an execution is planned; false stops the search. May be NULL. */
    bool (*tick)(ExploreObserver *self);
};

typedef struct Explore Explore;

/* Whether several workers can share a search with these options; the jobs that they share (core/tree/jobs.h), in a
 * region of their own. */
bool explore_can_be_shared(const ExploreOptions *options);
struct Jobs *explore_create_jobs(Region *region, const ExploreOptions *options);

/* The program is borrowed, the options are copied. */
Explore *explore_create(Region *region, Program *program, const ExploreOptions *options);
void explore_destroy(Explore *explore);

/* Continues the search for at most `slice` executions (0: no limit). If the previous process died in an execution,
 * that execution is accounted for first. */
ExploreResult explore_run(Explore *explore, ExploreObserver *observer, uint64_t slice);

/* Between two calls of explore_run: whether a process has died in an execution that is not accounted for yet. */
bool explore_is_begun(const Explore *explore);

/* Between two calls of explore_run: what is left of the search becomes jobs (core/tree/jobs.h), which can be
 * written to a file or taken by other workers. False if this strategy cannot do it. */
bool explore_suspend(Explore *explore);

/* Borrowed; valid as long as the search. */
const ExploreStats *explore_stats(const Explore *explore);
/* To be called by another process after the one of this search was killed from outside, perhaps while it was
 * changing the search: begins the job it had in hand again, in fresh memory. False if that is not possible. */
bool explore_restart(Explore *explore, Region *fresh);
/* The execution being run, or the last one. After EXPLORE_DIVERGED its plan and diverged_at say what could not be
 * followed. */
Execution *explore_execution(Explore *explore);

/* Runs one schedule `repeats` times without any search, to measure the cost of an execution alone. */
void explore_repeat(Explore *explore, uint64_t repeats);

#endif
