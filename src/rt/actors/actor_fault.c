/* actor_fault.c - see actor_fault.h */
#include "rt/actors/actor_fault.h"

#include <string.h>

#include "rt/actors/fault_rule.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"

/* Conditions, from the highest bit: a mark, the fault, its group, the actor, which chance of the actor. */
enum { AGENT_BITS = 12, POINT_BITS = 11, GROUP_BITS = 4, MOST_LITERALS = 256, MOST_WORK = 20000 };
_Static_assert(FAULT_GROUPS <= 1 << GROUP_BITS, "conditions name groups");
_Static_assert(RT_MAX_AGENTS <= 1 << AGENT_BITS, "conditions name agents");

#define FAULT_CONDITION 0xc0000000u /* other conditions do not have both bits */

static struct {
    uint32_t spent[FAULT_KINDS][FAULT_GROUPS];
    uint64_t used[FAULT_COUNT];
} happened; /* in this execution, so far */

static uint64_t *total; /* of all executions, by fault */

void actor_fault_init(Region *region) { total = region_alloc(region, FAULT_COUNT * sizeof *total); }
void actor_fault_reset(void) { memset(&happened, 0, sizeof happened); }
void actor_fault_count(Fault fault) { happened.used[fault]++; }

void actor_fault_add(Fault fault, uint64_t count) { __atomic_fetch_add(&total[fault], count, __ATOMIC_RELAXED); }
uint64_t actor_fault_total(Fault fault) { return total[fault]; }

void actor_fault_note_all(void)
{
    for (Fault fault = 0; fault < FAULT_COUNT; fault++)
        if (happened.used[fault])
            actor_fault_add(fault, happened.used[fault]);
}

void actor_fault_add_state(Fingerprint *print)
{
    for (Fault fault = 0; fault < FAULT_KINDS; fault++)
        for (uint32_t group = 0; group < FAULT_GROUPS; group++)
            if (happened.spent[fault][group])
                fingerprint_add(print, (uint64_t)fault << 48 | (uint64_t)group << 32 | happened.spent[fault][group]);
}

/* ---- Decisions --------------------------------------------------------------------------- */

/* The condition that the fault does not happen at the actor's nth chance for it. */
static uint32_t condition_of(Fault fault, uint32_t group, AgentId agent, uint32_t nth)
{
    uint32_t kind = (uint32_t)fault << GROUP_BITS | group;
    return FAULT_CONDITION | kind << (AGENT_BITS + POINT_BITS) | agent << POINT_BITS | nth;
}

Fault fault_of(uint32_t condition) { return (Fault)(condition >> (GROUP_BITS + AGENT_BITS + POINT_BITS) & 7); }

static uint32_t group_of(uint32_t condition)
{
    return condition >> (AGENT_BITS + POINT_BITS) & ((1u << GROUP_BITS) - 1);
}

/* What the step of a fault that happens is called. */
static const uint16_t fault_ops[FAULT_KINDS] = {
    [FAULT_LOSE] = OP_LOST, [FAULT_DUPLICATE] = OP_TWICE, [FAULT_CRASH] = OP_CRASH, [FAULT_RESET] = OP_BREAKS,
                                                [FAULT_SHORT] = OP_SHORT};

/* Where nothing is planned a fault happens only if a picker chooses it. */
static bool decide(Execution *ex, Fault fault, uint32_t group, uint32_t condition)
{
    Event *event = step_event();
    uint32_t position = ex->event_count - 1, taken = 0;
    if (position < ex->plan_length && ex->plan[position].choice_count)
        taken = ex->plan_choices[ex->plan[position].first_choice].taken;
    else if (ex->picker && ex->picker->choose && happened.spent[fault][group] < fault_rule_budget(fault, group))
        taken = ex->picker->choose(ex->picker, ex, 2);
    ex->choices[ex->choice_count++] = (Choice){.taken = taken, .options = 2, .condition = condition};
    event->choice_count++;
    happened.spent[fault][group] += taken;
    happened.used[fault] += taken;
    if (taken)
        step_event()->op = fault_ops[fault];
    return taken;
}

bool actor_fault(Fault fault, Actor *actor, const Actor *receiver, int tag)
{
    uint32_t group = fault_rule_group(fault, actor, receiver, tag), nth = actor->chances[fault];
    if (!fault_rule_budget(fault, group))
        return false;
    if (UNLIKELY(nth >= 1u << POINT_BITS))
        thread_cut(CUT_FAULTS);
    actor->chances[fault]++;
    step_begin(OP_ACTOR_FAULT, 0);
    rt.announced.flags |= EVENT_FIXED;
    step_wait();
    bool happens = decide(rt.ex, fault, group, condition_of(fault, group, actor->agent, nth));
    step_done();
    return happens;
}

/* ---- Feasibility ------------------------------------------------------------------------ */

/* Decisions that are fixed so far. */
typedef struct Decided {
    Literal literals[MOST_LITERALS];
    uint32_t count;
    uint32_t spent[FAULT_KINDS][FAULT_GROUPS];
    unsigned work;
} Decided;

/* False if the literal contradicts what is decided, or a budget. */
static bool assume(Decided *decided, Literal literal)
{
    Fault fault = fault_of(literal.condition);
    uint32_t group = group_of(literal.condition);
    for (uint32_t i = 0; i < decided->count; i++)
        if (decided->literals[i].condition == literal.condition)
            return decided->literals[i].taken == literal.taken;
    if (decided->count < MOST_LITERALS)
        decided->literals[decided->count++] = literal;
    decided->spent[fault][group] += literal.taken;
    return decided->spent[fault][group] <= fault_rule_budget(fault, group);
}

/* Can one literal of each clause be false? Conditions that are no faults always can. */
static bool escape(Decided *decided, const Literal *any, const uint32_t *ends, uint32_t clause, uint32_t clauses)
{
    if (clause == clauses || ++decided->work > MOST_WORK)
        return true;
    for (uint32_t i = clause ? ends[clause - 1] : 0; i < ends[clause]; i++) {
        Decided saved = *decided;
        bool possible = !fault_is_condition(any[i].condition) ||
                        assume(decided, (Literal){any[i].condition, !any[i].taken});
        if (possible && escape(decided, any, ends, clause + 1, clauses))
            return true;
        saved.work = decided->work;
        *decided = saved;
    }
    return false;
}

bool fault_is_condition(uint32_t condition) { return (condition & FAULT_CONDITION) == FAULT_CONDITION; }

bool fault_feasible(const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends, uint32_t clauses)
{
    Decided decided = {.count = 0};
    for (uint32_t i = 0; i < count; i++)
        if (fault_is_condition(all[i].condition) && !assume(&decided, all[i]))
            return false;
    return escape(&decided, any, ends, 0, clauses);
}
