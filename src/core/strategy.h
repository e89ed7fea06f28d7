/* strategy.h - the contract of a search strategy
 *
 * A strategy plans one execution after another and learns from each. What it must remember is in the region
 * (`state`); what it can recompute from there and from the last execution is process-local (`Search.local`), so that
 * a new process can take over after a crash.
 */
#ifndef CORE_STRATEGY_H
#define CORE_STRATEGY_H

#include "core/explore.h"

typedef struct Search {
    Program *program;
    const ExploreOptions *options;
    ExploreStats *stats;
    Execution *ex;        /* the execution being planned, run, learnt from          */
    Execution *probe;     /* a second one, for partial runs                         */
    void *state;          /* the strategy's, in the region                          */
    void *local;          /* the strategy's, of this process                        */
    ExploreObserver *observer; /* or NULL                                           */
} Search;

/* To be asked where planning an execution may take long: false if the search is to stop. */
static inline bool search_may_continue(const Search *search)
{
    ExploreObserver *observer = search->observer;
    return !observer || !observer->tick || observer->tick(observer);
}

typedef enum Next {
    NEXT_PLANNED, /* the plan and the picker of search->ex are filled          */
    NEXT_WAIT,    /* no job now, but other workers may give some away          */
    NEXT_LOST,    /* the jobs do not fit the program, or the store is lost     */
    NEXT_STOPPED, /* the observer stopped the search meanwhile                 */
    NEXT_NONE     /* nothing is left to explore                                */
} Next;

typedef struct StrategyOps {
    /* The jobs of a search that several workers share (core/tree/jobs.h). NULL: it cannot be shared. */
    struct Jobs *(*create_jobs)(Region *region);
    void *(*create)(Region *region, const ExploreOptions *options);
    void (*destroy)(void *state);
    /* Makes search->local; there may be an execution already (after a crash). */
    void (*attach)(Search *search);
    void (*detach)(Search *search);
    Next (*next)(Search *search);
    /* The execution has ended and is to be counted; END_ABANDONED makes it a redundant one. May be NULL. */
    void (*ended)(Search *search);
    /* Learns from the execution that has ended, also if it was abandoned or crashed. */
    void (*learn)(Search *search);
    /* Between executions: turns what is left of the work in hand into jobs that other workers can take, or that
     * can be written to a file. False if that is impossible. May be NULL. */
    bool (*suspend)(Search *search);
    /* The process was killed at an arbitrary point: returns a state in fresh memory that begins the work in hand
     * again, with the statistics as they were before it. NULL if that is not possible. May be NULL. */
    void *(*restart)(const void *state, Region *fresh, const ExploreOptions *options, ExploreStats *stats);
    /* Every few thousand steps: notes in the jobs how much of the work in hand is done. May be NULL. */
    void (*note_progress)(const Search *search);
} StrategyOps;

/* ---- The strategies, each defined in the file of its name in dpor/, graph/ or strategy/ ---- */

extern const StrategyOps strategy_dpor;   /* optimal and source reduction  */
extern const StrategyOps strategy_graph;  /* execution graphs: weak memory */
extern const StrategyOps strategy_exact;  /* steps that commute in a state */
extern const StrategyOps strategy_states; /* every state, once             */
extern const StrategyOps strategy_persistent; /* persistent sets           */
extern const StrategyOps strategy_all;    /* every interleaving            */
extern const StrategyOps strategy_paths;  /* paths of inputs in some order */
extern const StrategyOps strategy_dcute;  /* delay flags                   */
extern const StrategyOps strategy_random; /* random walk                   */
extern const StrategyOps strategy_pct;    /* random priorities             */
extern const StrategyOps strategy_pos;    /* a priority per step           */
extern const StrategyOps strategy_turns;  /* agents run in turns           */

#endif
