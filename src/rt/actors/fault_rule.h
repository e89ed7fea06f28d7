/* fault_rule.h - where faults may happen, and how often there
 *
 * A node of a cluster may have budgets of its own, for what it sends, its crashes and its connections: node n is group
 * n.
 *
 * A rule gives some messages or actors a budget of their own; the first rule that matches decides alone. What no rule
 * matches shares the budgets of the options, in group 0; rule n is group n + 1. Main states the rules before anything
 * else can happen, the same ones in every execution, so they are part of the past of every fault, and conditions of
 * other executions mean the same budgets. (ACT-5)
 */
#ifndef RT_ACTORS_FAULT_RULE_H
#define RT_ACTORS_FAULT_RULE_H

#include "base/region.h"
#include "rt/actors/actor.h"

enum { MOST_FAULT_RULES = 15, FAULT_GROUPS, FAULT_NEVER = UINT16_MAX };

typedef struct FaultRule {
    Fault fault;
    sennit_pid from, to; /* 0: any; of a crash `from` is the actor */
    int tag;
    uint32_t most;
} FaultRule;

/* Once, before the first process of a search. */
void fault_rule_init(Region *region);
void fault_rule_reset(void);
void fault_rule_add(const FaultRule *rule);

/* The group of the chance that a fault happens to a message with this tag or, `receiver` NULL, to the actor. */
uint32_t fault_rule_group(Fault fault, const Actor *sender, const Actor *receiver, int tag);
/* Can the fault happen anywhere in this execution? */
bool fault_rule_allows(Fault fault);
/* Could some fault happen in some execution, by options or rules, or did one because of a cut link? */
bool fault_rule_possible(void);
/* Could this one? */
bool fault_rule_possible_kind(Fault fault);
/* May it happen to the running thread's node? */
bool fault_rule_allows_node(Fault fault);
/* How often it may happen in the group. */
uint32_t fault_rule_budget(Fault fault, uint32_t group);

#endif
