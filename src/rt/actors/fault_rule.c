/* fault_rule.c - see fault_rule.h */
#include "rt/actors/fault_rule.h"

#include "rt/actors/actor_fault.h"
#include "rt/detect/bug.h"
#include "rt/kernel/node.h"

/* All that were stated in some execution; they survive a process. */
typedef struct Rules {
    uint32_t count;
    FaultRule all[MOST_FAULT_RULES];
} Rules;

static Rules *rules;
static uint32_t stated; /* in this execution, so far */

void fault_rule_init(Region *region) { rules = region_alloc(region, sizeof *rules); }
void fault_rule_reset(void) { stated = 0; }

static bool same(const FaultRule *a, const FaultRule *b)
{
    return a->fault == b->fault && a->from == b->from && a->to == b->to && a->tag == b->tag && a->most == b->most;
}

void fault_rule_add(const FaultRule *rule)
{
    if (stated == MOST_FAULT_RULES)
        report_refused("more than 15 rules for faults");
    if (stated == rules->count) {
        rules->all[stated] = *rule;
        rules->count++;
    } else if (!same(rule, &rules->all[stated])) {
        report_refused("rules for faults that differ between executions");
    }
    stated++;
}

/* What main sends and what an actor sends to itself does not cross the network: only a rule that names both ends of
 * such a message, or main, is about it. */
static bool crosses_network(const Actor *sender, const Actor *receiver)
{
    return !receiver || (sender->is_actor && sender != receiver);
}

static bool matches(const FaultRule *rule, Fault fault, const Actor *sender, const Actor *receiver, int tag)
{
    if (rule->fault != fault || (rule->from && rule->from != actor_pid(sender->agent)))
        return false;
    if (!receiver)
        return true;
    if (rule->to && rule->to != actor_pid(receiver->agent))
        return false;
    if (rule->tag != SENNIT_ANY_TAG && rule->tag != tag)
        return false;
    return crosses_network(sender, receiver) || (rule->from && (rule->to || sender != receiver));
}

/* 0: it shares the budget of the option. */
static uint32_t group_of_node(Fault fault, unsigned node)
{
    return node && node_get(node)->faults[fault] >= 0 ? node : 0;
}

uint32_t fault_rule_group(Fault fault, const Actor *sender, const Actor *receiver, int tag)
{
    if (node_self())
        return group_of_node(fault, node_self());
    for (uint32_t i = 0; i < stated; i++)
        if (matches(&rules->all[i], fault, sender, receiver, tag))
            return i + 1;
    return crosses_network(sender, receiver) ? 0 : FAULT_NEVER;
}

uint32_t fault_rule_budget(Fault fault, uint32_t group)
{
    if (group == FAULT_NEVER)
        return 0;
    if (group && node_count())
        return (uint32_t)node_get(group)->faults[fault];
    if (group)
        return group <= rules->count ? rules->all[group - 1].most : 0;
    const uint32_t budgets[] = {[FAULT_LOSE] = rt.options.max_lost,
                                [FAULT_DUPLICATE] = rt.options.max_duplicated,
                                [FAULT_CRASH] = rt.options.max_crashed,
                                [FAULT_RESET] = rt.options.max_reset,
                                [FAULT_SHORT] = rt.options.max_short};
    return budgets[fault];
}

bool fault_rule_allows_node(Fault fault)
{
    return fault_rule_budget(fault, group_of_node(fault, node_self())) > 0;
}

bool fault_rule_possible_kind(Fault fault)
{
    bool possible = fault_rule_budget(fault, 0) > 0;
    for (unsigned node = 1; node <= node_count(); node++)
        possible |= node_get(node)->faults[fault] > 0;
    for (uint32_t i = 0; i < rules->count; i++)
        possible |= rules->all[i].fault == fault && rules->all[i].most > 0;
    return possible;
}

bool fault_rule_possible(void)
{
    bool possible = actor_fault_total(FAULT_CUT) > 0;
    for (Fault fault = 0; fault < FAULT_KINDS; fault++)
        possible |= fault_rule_possible_kind(fault);
    return possible;
}

bool fault_rule_allows(Fault fault)
{
    bool allowed = fault_rule_budget(fault, 0) > 0;
    for (uint32_t i = 0; i < stated; i++)
        allowed |= rules->all[i].fault == fault && rules->all[i].most > 0;
    return allowed;
}
