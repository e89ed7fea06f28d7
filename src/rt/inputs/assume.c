/* assume.c - see assume.h */
#include "rt/inputs/assume.h"

#include "rt/actors/actor_fault.h"
#include "rt/inputs/branch.h"
#include "rt/kernel/scheduler.h"

typedef VEC(Literal) AssumedLiterals;

/* What the inputs must satisfy to take this path: as planned, or its first `count` choices. */
static void add_path(AssumedLiterals *all, uint32_t count, bool is_planned)
{
    for (uint32_t i = 0; is_planned && i < tracking.literals.count; i++)
        VEC_PUSH(all, tracking.literals.items[i]);
    for (uint32_t i = 0; !is_planned && i < count; i++) {
        const Choice *choice = &rt.ex->choices[i];
        if (choice->condition && !fault_is_condition(choice->condition))
            VEC_PUSH(all, ((Literal){.condition = choice->condition, .taken = choice->taken}));
    }
    for (uint32_t i = 0; i < tracking.pending.count; i++)
        VEC_PUSH(all, tracking.pending.items[i].literal);
}

/* Can the condition have this outcome on this path? Then the execution may start again with such inputs, so that no
 * execution is spent on excluded inputs. */
static bool can_be(uint32_t count, bool is_planned, Literal outcome)
{
    AssumedLiterals all = {0};
    add_path(&all, count, is_planned);
    VEC_PUSH(&all, outcome);
    bool possible = session_feasible(tracking.session, all.items, all.count, NULL, NULL, 0);
    VEC_FREE(&tracking.restart_with);
    tracking.restart_with.items = all.items;
    tracking.restart_with.count = all.count;
    tracking.restart_with.room = all.room;
    return possible;
}

/* With the inputs that can_be has found. */
static _Noreturn void start_again(void)
{
    tracking.restart = true;
    scheduler_finish(END_ABANDONED);
}

/* Until its step is taken an assumption of another thread is not among the choices; but inputs that violate it would
 * only make that thread start again, and so on without end. */
static void take_step(uint32_t number, bool holds)
{
    AgentId self = rt.self->id;
    if (number && holds)
        VEC_PUSH(&tracking.pending, ((PendingAssumption){self, {.condition = number}}));
    branch_take_step(number, holds);
    for (uint32_t i = 0; i < tracking.pending.count; i++)
        if (tracking.pending.items[i].agent == self)
            tracking.pending.items[i] = tracking.pending.items[--tracking.pending.count];
}

static bool is_input_of_now(ExprId e)
{
    const uint64_t *asked = map_find(&tracking.asked, e.id);
    return asked && *asked == tracking_moment();
}

/* Does the expression contain only inputs that the running thread asked for at this moment? */
static bool is_new_to_others(ExprId e)
{
    VEC(ExprId) left = {0};
    Map seen = {0};
    bool news = true;
    VEC_PUSH(&left, e);
    while (news && left.count) {
        ExprId next = left.items[--left.count];
        const ExprNode *node = expr_get(tracking.pool, next);
        unsigned count = expr_operands((ExprOp)node->op);
        bool added;
        map_insert(&seen, next.id, &added);
        news = !added || count > 0 || expr_is_const(tracking.pool, next, NULL) || is_input_of_now(next);
        for (unsigned i = 0; added && i < count; i++)
            VEC_PUSH(&left, expr_operand(node, i));
    }
    VEC_FREE(&left);
    map_release(&seen);
    return news;
}

/* No other thread acts on inputs that violate the assumption: there is none, or none can know them. Otherwise what
 * other threads do with such inputs may come before the assumption and matters. (DEC-4) */
static bool is_private(ExprId condition)
{
    bool alone = rt.self->id == 0 && rt.self->children == 0;
    return alone || is_new_to_others(condition);
}

void assume_condition(ExprId condition, bool holds)
{
    if (rt.self && !expr_is_const(tracking.pool, condition, NULL) && !is_private(condition)) {
        branch_decide(condition, holds);
        return;
    }
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || !branch_agrees(condition, holds) ||
        branch_record(condition))
        return;
    /* No inputs count as violating an assumption that others satisfy. One that none satisfies on this path is a
     * branch: it stops this thread, and other threads act on all inputs. */
    uint32_t number = session_assumption(tracking.session, condition);
    bool is_planned = rt.ex->event_count < rt.plan_length;
    bool possible = holds || !number || can_be(rt.ex->choice_count, is_planned, (Literal){.condition = number});
    if (!holds && number && possible && !tracking.no_restart && !is_planned)
        start_again();
    take_step(possible ? number : session_condition(tracking.session, condition), holds);
}

/* The newest choice of the execution, if the running thread has made it by its inputs and it was neither planned nor
 * changed before: that has not helped. */
static const Choice *newest_branch(void)
{
    const Execution *ex = rt.ex;
    if (ex->event_count <= ex->plan_length || ex->choice_count <= tracking.retried)
        return NULL;
    const Event *event = &ex->events[ex->event_count - 1];
    const Choice *choice = &ex->choices[ex->choice_count - 1];
    bool own = event->agent == rt.self->id && event->choice_count > 0;
    return own && choice->condition && !fault_is_condition(choice->condition) ? choice : NULL;
}

void assume_retry(void)
{
    bool sampled = tracking.on && rt.ex->picker && rt.ex->picker->samples;
    const Choice *choice = sampled && !tracking.no_restart ? newest_branch() : NULL;
    if (!choice || !can_be(rt.ex->choice_count - 1, false, (Literal){choice->condition, !choice->taken}))
        return;
    tracking.retried = rt.ex->choice_count;
    start_again();
}
