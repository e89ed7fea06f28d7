/* actor_fault.c - see actor_fault.h */
#include "rt/actors/actor_fault.h"

#include "rt/kernel/step.h"

enum { AGENT_BITS = 12, POINT_BITS = 16, MOST_LITERALS = 256, MOST_WORK = 20000 };
_Static_assert(RT_MAX_AGENTS <= 1 << AGENT_BITS, "conditions name agents");

#define FAULT_CONDITION 0xc0000000u /* other conditions do not have both bits */

static uint32_t budget_of(Fault fault)
{
    return fault == FAULT_LOSE        ? rt.options.max_lost
           : fault == FAULT_DUPLICATE ? rt.options.max_duplicated
                                      : rt.options.max_crashed;
}

static uint32_t used[FAULT_COUNT]; /* in this execution, so far */

void actor_fault_reset(void)
{
    for (unsigned i = 0; i < FAULT_COUNT; i++)
        used[i] = 0;
}

/* The condition that the fault does not happen at the actor's nth chance for it. */
static uint32_t condition_of(Fault fault, AgentId agent, uint32_t nth)
{
    return FAULT_CONDITION | (uint32_t)fault << (AGENT_BITS + POINT_BITS) | agent << POINT_BITS | nth;
}

static Fault fault_of(uint32_t condition) { return (Fault)(condition >> (AGENT_BITS + POINT_BITS) & 3); }

/* Where nothing is planned a fault happens only if a picker chooses it. */
static bool decide(Execution *ex, Fault fault, uint32_t condition)
{
    Event *event = step_event();
    uint32_t position = ex->event_count - 1, taken = 0;
    if (position < ex->plan_length && ex->plan[position].choice_count)
        taken = ex->plan_choices[ex->plan[position].first_choice].taken;
    else if (ex->picker && ex->picker->choose && used[fault] < budget_of(fault))
        taken = ex->picker->choose(ex->picker, ex, 2);
    ex->choices[ex->choice_count++] = (Choice){.taken = taken, .options = 2, .condition = condition};
    event->choice_count++;
    used[fault] += taken;
    return taken;
}

bool actor_fault(Actor *actor, Fault fault)
{
    uint32_t nth = actor->chances[fault];
    if (!budget_of(fault) || nth >= 1u << POINT_BITS)
        return false;
    actor->chances[fault]++;
    step_begin(OP_ACTOR_FAULT, 0);
    rt.announced.flags |= EVENT_FIXED;
    step_wait();
    bool happens = decide(rt.ex, fault, condition_of(fault, actor->agent, nth));
    step_done();
    return happens;
}

/* ---- Feasibility ------------------------------------------------------------------------ */

/* Decisions that are fixed so far. */
typedef struct Decided {
    Literal literals[MOST_LITERALS];
    uint32_t count;
    uint32_t spent[FAULT_COUNT];
    unsigned work;
} Decided;

/* False if the literal contradicts what is decided, or a budget. */
static bool assume(Decided *decided, Literal literal)
{
    Fault fault = fault_of(literal.condition);
    for (uint32_t i = 0; i < decided->count; i++)
        if (decided->literals[i].condition == literal.condition)
            return decided->literals[i].taken == literal.taken;
    if (decided->count < MOST_LITERALS)
        decided->literals[decided->count++] = literal;
    decided->spent[fault] += literal.taken;
    return decided->spent[fault] <= budget_of(fault);
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
