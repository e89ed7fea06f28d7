/* dpor_internal.h - the state of the DPOR strategy, shared by its files
 *
 * strategy_dpor.c    plans executions and jobs;
 * dpor_learn.c       reverses the races of an execution and inserts the reversed sequences;
 * dpor_deferred.c    sequences that wait for their insertion into the tree of a store;
 * dpor_source.c      source sets: chooses the steps of an execution behind its plan;
 * dpor_levelstats.c  the statistics at each node of the current execution.
 */
#ifndef CORE_DPOR_DPOR_INTERNAL_H
#define CORE_DPOR_DPOR_INTERNAL_H

#include "core/dpor/reversal.h"
#include "core/hb.h"
#include "core/probe.h"
#include "core/strategy.h"
#include "core/tree/jobs_cover.h"
#include "core/tree/wakeup.h"

/* A step with a label of its own: the pool of a tree does not survive its process. */
typedef struct DeferredStep DeferredStep;
struct DeferredStep {
    Label label; /* its touches and choices follow */
    DeferredStep *next;
};

/* A sequence that waits for jobs_insert_batch, in the region. */
typedef struct Deferred Deferred;
struct Deferred {
    Deferred *next;
    uint32_t first;
    uint32_t count;
    DeferredStep *steps;
};

/* The statistics when the search last took another step at a level. What was counted since lies below the node
 * after that step. */
typedef struct LevelStats {
    uint32_t level;
    ExploreStats stats;
} LevelStats;

typedef struct DporState {
    WakeupTree *tree;        /* below the root of the job; levels above it are empty         */
    Jobs *jobs;
    bool owns_jobs;
    JobHand hand;            /* the job being explored                                       */
    uint32_t fresh;          /* the first level that differs from the previous execution     */
    bool beginning;          /* the job was taken, its first execution is not planned yet    */
    bool resolving;          /* see resolve.h                                                */
    uint32_t deferred_count;
    Deferred *deferred;
    bool started;            /* there is an execution to continue from                       */
    ProbeCrash *crashes;     /* partial runs of this job that killed their process           */
    LevelStats *level_stats; /* of the current execution, levels ascending                   */
    uint32_t level_stats_count, level_stats_capacity;
} DporState;

typedef struct Dpor {
    Picker picker;             /* source sets only */
    ReversalVisitor visitor;
    OutcomeSource source;
    Insertion insertion;
    Search *search;
    DporState *state;
    Hb hb;
    SleepSets sleep;
    WakeupBranch branch;       /* the prescribed steps of the planned execution, from `fresh` on */
    LabelSequence sequence, copy;
    JobCover cover;
    ReversalScratch scratch;
    Probe probe;
    VEC(Touch) touches;        /* of the reversed step                                 */
    VEC(Literal) literals;     /* path condition of the level at which a sequence is inserted */
    LabelSequence sleepers;
    LabelSequence asleep;      /* source sets: the sleep set after the last event      */
    uint32_t seen;             /* source sets: events whose conflicts have been woken  */
    VEC(uint32_t) settled;     /* per event: its reversals stay covered as long as the first so many events are
                                  the same (REV-5); of this process and job            */
    uint32_t rests;            /* the same for the event being reversed                */
} Dpor;

/* ---- strategy_dpor.c --------------------------------------------------- */

bool dpor_is_source(const Dpor *dpor);
/* Plans the first `length` steps of the last execution; what is planned already stays. */
void dpor_plan_prefix(Dpor *dpor, Execution *ex, uint32_t length);
/* Computes the sleep sets along the execution where they are not known. An optimal search knows them from
 * planning, unless this process has just taken over, and they are empty behind the plan (WUT-1). */
void dpor_know_sleep(Dpor *dpor);
/* What is known to be covered (REV-5) is that no longer, at most for events before `level`. */
void dpor_unsettle(Dpor *dpor, uint32_t level);
/* Frees the nodes of the planned branch. */
void dpor_free_branch(Dpor *dpor);

/* ---- dpor_learn.c ------------------------------------------------------ */

/* Of StrategyOps: inserts the reversals of all races and the other outcomes of steps. */
void dpor_learn(Search *search);
/* Of ReversalVisitor: inserts the reversed sequence into the tree. */
void dpor_insert_reversal(ReversalVisitor *visitor, const Reversal *reversal);
/* Of OutcomeSource: finds the outcomes by partial runs of the program. */
void dpor_run_outcomes(OutcomeSource *source, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                       void (*each)(void *context, const Label *label), void *context);
/* Adds the conditions of the step at a level to `literals`. */
void dpor_add_literals(Dpor *dpor, uint32_t level);

/* ---- dpor_deferred.c ------------------------------------------------------- */

/* Keeps a copy of the sequence, which belongs after the first `first` steps of the job's prefix. */
void dpor_defer_sequence(Dpor *dpor, uint32_t first, const LabelSequence *sequence);
void dpor_drop_deferred(DporState *state);
/* Inserts the deferred sequences into the store's tree if there are enough of them, or with `all`. False if
 * that is impossible: then the job cannot be finished by this process. */
bool dpor_insert_deferred(Dpor *dpor, bool all);

/* ---- dpor_source.c ----------------------------------------------------- */

/* Of Picker: an enabled agent that does not sleep; AGENT_NONE if all do. */
AgentId dpor_pick_awake(Picker *picker, Execution *ex, AgentId current);

/* ---- dpor_levelstats.c ------------------------------------------------------ */

/* The execution that is planned now differs from the previous one from `level` on. */
void dpor_note_level(DporState *state, uint32_t level, const ExploreStats *stats);
/* The statistics before the node after the first `depth` steps was entered. */
const ExploreStats *dpor_counted_before(const DporState *state, uint32_t depth);
void dpor_free_level_stats(DporState *state);

#endif
