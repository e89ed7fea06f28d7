/* explore.h - the search for all executions of a program
 *
 * One Explore is one search with one strategy. All of its state is in a region,
 * so that a search goes on in a new process when the program killed the old one.
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
    REDUCTION_EXACT,   /* steps commute if both orders lead to the same state; one execution
                          per final state. The program must know its states           */
    REDUCTION_PERSISTENT /* sufficient sets told by the program, and sleep sets: complete for
                          executions without END_CUT, may start redundant ones        */
} Reduction;

typedef enum Strategy { STRATEGY_EXHAUSTIVE, STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_TURNS } Strategy;

/* Which path of the inputs comes next, for searches that will not end. Other than depth first:
 * one order of agents only, one worker. */
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
    struct Jobs *jobs;         /* exhaustive with a reduction: work shared with other searches
                                  (jobs.h); NULL: this search is alone                      */
    bool keep_going;           /* do not stop at the first execution with a finding         */
} ExploreOptions;

typedef struct ExploreStats {
    uint64_t executions;       /* complete ones                                             */
    uint64_t redundant;        /* started and cut off: they would repeat a class            */
    uint64_t probes;           /* partial runs to learn what a step would touch             */
    uint64_t blocked;          /* executions that ended with an agent waiting for ever      */
    uint64_t failing;          /* executions with a finding                                 */
    uint64_t crashed;          /* executions that killed the process: what lies behind the
                                  crash is unknown, so the verdict is bounded               */
    uint64_t steps;            /* of complete executions                                    */
    uint64_t bound_steps;      /* executions in which max_agent_steps stopped an agent      */
    uint64_t bound_schedules;  /* executions with several agents, of one order only         */
    uint64_t bound_loops;      /* executions with a thread stopped by a bound on loops       */
    uint64_t bound_children;   /* executions with an agent that never begins                */
    uint64_t bound_memory;     /* executions with a block of memory too large to be given   */
    uint64_t bound_timeouts;   /* executions with a timed wait that could not time out      */
    uint64_t bound_preemptions;/* continuations dropped by max_preemptions                  */
    uint64_t bound_delays;     /* deliveries not tried, since no delay flag asked for them  */
    uint64_t pruned;           /* cut off: nothing that is looked for lies ahead (guided search) */
    uint64_t symmetric;        /* messages received behind an equal one (the program counts) */
    uint64_t assumed;          /* executions in which an assumption failed                  */
    uint32_t depth;            /* longest execution                                         */
    uint32_t agents;           /* most agents in one execution                              */
    Estimate estimate;         /* of the number of executions in all; filled in by whoever knows */
} ExploreStats;

typedef enum ExploreResult {
    EXPLORE_DONE,      /* nothing is left                                                   */
    EXPLORE_PAUSED,    /* the slice is over; call again                                     */
    EXPLORE_WAITING,   /* no work now, other workers may give some away; call again later   */
    EXPLORE_BUDGET,    /* max_executions reached                                            */
    EXPLORE_BUG,       /* a finding, and keep_going was not asked for                       */
    EXPLORE_STOPPED,   /* the observer's `tick` said so                                     */
    EXPLORE_LOST,      /* the jobs do not fit the program, or the store took them away      */
    EXPLORE_DIVERGED   /* the program did not follow a plan: it is not deterministic        */
} ExploreResult;

typedef struct ExploreObserver ExploreObserver;
struct ExploreObserver {
    /* After each execution, also one that was cut off, while the program's final state can still
     * be looked at (not after END_CRASHED); false stops the search. May be NULL. */
    bool (*ended)(ExploreObserver *self, const Execution *ex);
    /* After each execution with findings (ex->findings); may be NULL. */
    void (*found)(ExploreObserver *self, const Execution *ex);
    /* Now and then (every few thousand steps); false stops the search. May be NULL. */
    bool (*tick)(ExploreObserver *self);
};

typedef struct Explore Explore;

Explore *explore_create(Region *region, Program *program, const ExploreOptions *options);
void explore_destroy(Explore *explore);

/* Goes on with the search for at most `slice` executions (0: no limit). If the process
 * that ran it before died in an execution, that execution is accounted for first. */
ExploreResult explore_run(Explore *explore, ExploreObserver *observer, uint64_t slice);

/* Between two calls: has a process died in an execution that explore_run has to account for? */
bool explore_is_begun(const Explore *explore);

/* Between two calls of explore_run: what is left of the search becomes jobs (jobs.h), which
 * can be written down or taken by others. False if this kind of search cannot do it. */
bool explore_suspend(Explore *explore);

const ExploreStats *explore_stats(const Explore *explore);
/* After its process was killed from outside, perhaps while it was changing the search: begins
 * what it had in hand anew, in fresh memory. For another process. False if that is not possible. */
bool explore_restart(Explore *explore, Region *fresh);
/* The execution being run, or the last one. After EXPLORE_DIVERGED its plan and
 * diverged_at tell what could not be followed. */
Execution *explore_execution(Explore *explore);

/* Runs one schedule `repeats` times without any search; for measuring the floor. */
void explore_repeat(Explore *explore, uint64_t repeats);

#endif
