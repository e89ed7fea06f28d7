/* strategy.h - the contract of a search strategy
 *
 * A strategy plans one execution after another and learns from each. What it must
 * remember is in the region (`state`); what it can work out again from there and from
 * the last execution is process-local (`Search.local`), so that a new process can take
 * over after a crash.
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
} Search;

typedef enum Next {
    NEXT_PLANNED, /* the plan and the picker of search->ex are filled          */
    NEXT_WAIT,    /* nothing to do now, but other workers may give work away   */
    NEXT_LOST,    /* the program does not do what the search was told, or the store is gone */
    NEXT_NONE     /* nothing is left to explore                                */
} Next;

typedef struct StrategyOps {
    void *(*create)(Region *region, const ExploreOptions *options);
    void (*destroy)(void *state);
    /* Makes search->local; an execution may already be there (after a crash). */
    void (*attach)(Search *search);
    void (*detach)(Search *search);
    Next (*next)(Search *search);
    /* Studies the finished (or cut off) execution. */
    void (*learn)(Search *search);
    /* Between executions: turns what is left of the work in hand into jobs that others can
     * take, or that can be written down. False if that is impossible. May be NULL. */
    bool (*suspend)(Search *search);
    /* The process was killed in the middle of things: a state in fresh memory that begins the
     * work in hand anew, with the statistics as they were before it. NULL if that is not
     * possible. May be NULL. */
    void *(*restart)(const void *state, Region *fresh, const ExploreOptions *options, ExploreStats *stats);
    /* Now and then: notes in the jobs how much of the work in hand is done. May be NULL. */
    void (*note_progress)(const Search *search);
} StrategyOps;

extern const StrategyOps strategy_dpor;   /* optimal and source reduction  */
extern const StrategyOps strategy_exact; /* states tell what commutes     */
extern const StrategyOps strategy_persistent; /* sufficient sets     */
extern const StrategyOps strategy_all;    /* every interleaving            */
extern const StrategyOps strategy_paths;  /* paths of inputs in some order */
extern const StrategyOps strategy_dcute;  /* delay flags                   */
extern const StrategyOps strategy_random; /* random walk                   */
extern const StrategyOps strategy_pct;    /* random priorities             */
extern const StrategyOps strategy_turns;  /* agents run in turns           */

#endif
