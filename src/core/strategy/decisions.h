/* decisions.h - depth-first search as a stack of decisions, each with its remaining alternatives
 *
 * For strategies that plan an execution like the last one up to its newest decision with an alternative, and then
 * take that alternative. The stack is in memory that survives the process.
 */
#ifndef CORE_STRATEGY_DECISIONS_H
#define CORE_STRATEGY_DECISIONS_H

#include "base/region.h"
#include "core/program.h"

typedef struct Alternative {
    uint32_t value;             /* an agent, or the value of a choice                */
    uint32_t group;             /* for the strategy                                  */
} Alternative;

/* A step or a choice of the current execution. */
typedef struct Decision {
    Alternative taken;
    uint32_t first_alternative; /* of those not tried yet; the newest decision's end
                                   is the top of the stack                           */
    uint32_t condition;         /* of a choice that the inputs made, else 0          */
    uint32_t preemptions;       /* before it                                         */
    AgentId preempted;          /* agent that ran before and is still enabled, or NONE */
    bool is_choice;
    bool flagged;               /* for the strategy                                  */
} Decision;

typedef struct Decisions {
    Region *region;
    Decision *items;
    Alternative *alternatives;
    uint32_t count, alternative_count;
    uint32_t steps;             /* decisions that are not choices: one per event     */
    uint32_t planned, planned_alternatives, planned_steps; /* the same when the execution was planned */
    bool started;
} Decisions;

Decisions *decisions_create(Region *region);
void decisions_destroy(Decisions *decisions);

/* Only executions that begin with these steps are planned: decisions without alternatives. For a fresh stack. */
void decisions_begin(Decisions *decisions, const Execution *begun, uint32_t length);

/* ---- While an execution runs; steps without a decision of the picker are added automatically ---- */

/* Adds the next step. Alternatives are added to the newest decision; the last one is tried first. */
Decision *decisions_add_step(Decisions *decisions, const Execution *ex, Alternative taken);
void decisions_add_alternative(Decisions *decisions, Alternative alternative);
/* Adds a choice inside the current step: 0 of `options`. */
void decisions_add_choice(Decisions *decisions, const Execution *ex, uint32_t options);
/* The same if only some of the options are possible: the first of these values. */
void decisions_add_choice_of(Decisions *decisions, const Execution *ex, const uint32_t *values, uint32_t count);
/* Adds a choice that the inputs made. */
void decisions_add_branch(Decisions *decisions, const Execution *ex, uint32_t condition, uint32_t taken);
/* The execution begins again along its plan. */
void decisions_restart(Decisions *decisions);
/* The execution has ended. */
void decisions_end(Decisions *decisions, const Execution *ex);

/* ---- Between executions ---- */

/* The newest decision, or NULL. */
Decision *decisions_top(Decisions *decisions);
/* Drops the newest decision with its alternatives. */
void decisions_drop(Decisions *decisions);
/* How many alternatives the newest decision has left. */
uint32_t decisions_left(const Decisions *decisions);
/* Takes the next alternative of the newest decision, which must have one. */
void decisions_advance(Decisions *decisions);
/* Plans the decisions. False if there are no inputs for them (there were some before the newest decision), or none can
 * be found. */
bool decisions_plan(Decisions *decisions, Execution *ex);

#endif
