/* dpor_internal.h - the state of strategy_dpor.c, as its parts see it
 *
 * strategy_dpor.c plans executions and jobs; dpor_learn.c reverses the races of an execution and
 * inserts what must be explored instead; dpor_kept.c has the sequences for the part of the tree
 * that other machines share; dpor_source.c steers the free part of an execution of a source-set
 * search; dpor_marks.c knows what was counted below each node.
 */
#ifndef CORE_DPOR_DPOR_INTERNAL_H
#define CORE_DPOR_DPOR_INTERNAL_H

#include "core/dpor/reversal.h"
#include "core/hb.h"
#include "core/probe.h"
#include "core/strategy.h"
#include "core/tree/jobs.h"
#include "core/tree/wakeup.h"

/* A sequence that waits for jobs_insert_batch; in the region. */
typedef struct Kept Kept;
struct Kept {
    Kept *next;
    uint32_t first;
    uint32_t count;
    WakeupNode *steps;
};

/* What was counted when the search went another way at a level, the last time it did. All that
 * was counted since lies below the node after that step. */
typedef struct Mark {
    uint32_t level;
    ExploreStats stats;
} Mark;

typedef struct DporState {
    WakeupTree *tree;    /* below the root of the job; levels above it are empty       */
    Jobs *jobs;
    bool owns_jobs;
    JobHand hand;        /* the job being explored                                     */
    uint32_t fresh;      /* the first level that differs from the execution before     */
    bool beginning;      /* the job was taken, its first execution is not planned yet  */
    bool resolving;      /* see resolve.h                                              */
    uint32_t kept_count; /* sequences for the part of the tree that other machines share */
    Kept *kept;
    bool started;        /* there is an execution to go on from                        */
    ExploreStats before[2]; /* what was counted before the job in hand, by its turn    */
    ProbeCrash *crashes; /* partial runs that killed their process, of this job        */
    Mark *marks;         /* of the current execution, levels ascending                 */
    uint32_t mark_count, mark_capacity;
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
    JobCover cover;            /* see jobs.h                                           */
    ReversalScratch scratch;
    Probe probe;
    VEC(Touch) touches;        /* of the reversed step                                 */
    VEC(Literal) literals;     /* path condition of the level at which a sequence is inserted */
    LabelSequence sleepers;
    LabelSequence asleep;      /* source sets: what sleeps where the execution is */
    uint32_t seen;             /* source sets: events already woken up for        */
} Dpor;

/* ---- strategy_dpor.c --------------------------------------------------- */

bool dpor_is_source(const Dpor *dpor);
/* Plans the first `length` steps of the last execution; what the plan holds already stays. */
void dpor_plan_prefix(Dpor *dpor, Execution *ex, uint32_t length);
/* An optimal search knows its sleep sets from planning, unless this process just took over;
 * and they are empty behind the plan (WUT-1). */
void dpor_know_sleep(Dpor *dpor);
void dpor_free_branch(Dpor *dpor);

/* ---- dpor_learn.c ------------------------------------------------------ */

void dpor_learn(Search *search);
/* Of ReversalVisitor: inserts the reversed sequence into the tree. */
void dpor_insert_reversal(ReversalVisitor *visitor, const Reversal *reversal);
/* Of OutcomeSource, by a partial run of the program. */
void dpor_run_outcomes(OutcomeSource *source, uint32_t first, const Label *const *steps, uint32_t count, AgentId agent,
                       void (*each)(void *context, const Label *label), void *context);
/* Adds the conditions of the step at a level to `literals`. */
void dpor_add_literals(Dpor *dpor, uint32_t level);

/* ---- dpor_kept.c ------------------------------------------------------- */

void dpor_keep_sequence(Dpor *dpor, uint32_t first, const LabelSequence *sequence);
void dpor_drop_kept(DporState *state);
/* Brings the kept sequences into the store's tree, now and then or, with `all`, now. False if
 * that is impossible: then the job cannot be finished here. */
bool dpor_insert_kept(Dpor *dpor, bool all);

/* ---- dpor_source.c ----------------------------------------------------- */

/* Of Picker: an enabled agent that does not sleep, AGENT_NONE if all do. */
AgentId dpor_pick_awake(Picker *picker, Execution *ex, AgentId current);

/* ---- dpor_marks.c ------------------------------------------------------ */

/* The execution that is planned now goes another way from `level` on. */
void dpor_mark_level(DporState *state, uint32_t level, const ExploreStats *stats);
/* What was counted before the node after the first `depth` steps was entered. */
const ExploreStats *dpor_counted_before(const DporState *state, uint32_t depth);
void dpor_free_marks(DporState *state);

#endif
