/* decisions.h - depth-first search as a stack of decisions, each with what is left to try
 *
 * For strategies that plan an execution as "the last one, but its newest open decision
 * otherwise". The stack lives in memory that survives the process.
 */
#ifndef CORE_STRATEGY_DECISIONS_H
#define CORE_STRATEGY_DECISIONS_H

#include "base/region.h"
#include "core/program.h"

typedef struct Alternative {
    uint32_t value;             /* an agent, or the value of a choice                */
    uint32_t group;             /* the strategy's own                                */
} Alternative;

typedef struct Decision {
    Alternative taken;
    uint32_t first_alternative; /* of those not tried yet; the newest decision's end
                                   is the top of the stack                           */
    uint32_t condition;         /* of a choice that the inputs took, else 0          */
    uint32_t preemptions;       /* before it                                         */
    AgentId preempted;          /* agent that ran before and is still enabled, or NONE */
    bool is_choice;
    bool flagged;               /* the strategy's own                                */
} Decision;

typedef struct Decisions {
    Region *region;
    Decision *items;
    Alternative *alternatives;
    uint32_t count, alternative_count;
    uint32_t steps;             /* decisions that are not choices: one per event     */
    bool started;
} Decisions;

Decisions *decisions_create(Region *region);
void decisions_destroy(Decisions *decisions);

/* ---- While an execution runs; steps that nobody asked about are added by themselves ---- */

/* The next step; alternatives are added to the newest decision, the last one is tried first. */
Decision *decisions_add_step(Decisions *decisions, const Execution *ex, Alternative taken);
void decisions_add_alternative(Decisions *decisions, Alternative alternative);
/* A choice inside the step that runs: 0 of `options`. */
void decisions_add_choice(Decisions *decisions, const Execution *ex, uint32_t options);
/* One that the inputs took. */
void decisions_add_branch(Decisions *decisions, const Execution *ex, uint32_t condition, uint32_t taken);
/* The execution is over. */
void decisions_end(Decisions *decisions, const Execution *ex);

/* ---- Between executions ---- */

/* The newest decision, or NULL. */
Decision *decisions_top(Decisions *decisions);
/* Drops the newest decision and what it has left. */
void decisions_drop(Decisions *decisions);
/* How many alternatives the newest decision has left. */
uint32_t decisions_left(const Decisions *decisions);
/* Takes the next alternative of the newest decision, which has one. */
void decisions_advance(Decisions *decisions);
/* Plans what was decided; false if there are no inputs for it, given that there were before the
 * newest decision, or none that can be found. */
bool decisions_plan(const Decisions *decisions, Execution *ex);

#endif
