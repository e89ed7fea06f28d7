/* assume.c - see assume.h */
#include "rt/inputs/assume.h"

#include "rt/actors/actor_fault.h"
#include "rt/inputs/branch.h"
#include "rt/kernel/scheduler.h"

/* Can the condition have this outcome after the first `count` choices of this path? Then the execution may start again
 * with such inputs, so that no execution is spent on excluded inputs. */
static bool can_be(uint32_t count, Literal outcome)
{
    VEC(Literal) all = {0};
    for (uint32_t i = 0; i < count; i++) {
        const Choice *choice = &rt.ex->choices[i];
        if (choice->condition && !fault_is_condition(choice->condition))
            VEC_PUSH(&all, ((Literal){.condition = choice->condition, .taken = choice->taken}));
    }
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
    uint32_t number = session_assumption(tracking.session, condition);
    bool is_planned = rt.ex->event_count < rt.plan_length;
    if (!holds && number && !tracking.no_restart && !is_planned &&
        can_be(rt.ex->choice_count, (Literal){.condition = number}))
        start_again();
    branch_take_step(number, holds);
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
    if (!choice || !can_be(rt.ex->choice_count - 1, (Literal){choice->condition, !choice->taken}))
        return;
    tracking.retried = rt.ex->choice_count;
    start_again();
}
