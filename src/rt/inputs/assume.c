/* assume.c - see assume.h */
#include "rt/inputs/assume.h"

#include "rt/actors/actor_fault.h"
#include "rt/inputs/branch.h"
#include "rt/kernel/scheduler.h"

/* Can the assumption hold on this path? Then the execution begins anew with such inputs, so
 * that none is spent on inputs of no interest. */
static bool other_inputs_will_do(uint32_t number)
{
    VEC(Literal) all = {0};
    for (uint32_t i = 0; i < rt.ex->choice_count; i++) {
        const Choice *choice = &rt.ex->choices[i];
        if (choice->condition && !fault_is_condition(choice->condition))
            VEC_PUSH(&all, ((Literal){.condition = choice->condition, .taken = choice->taken}));
    }
    VEC_PUSH(&all, ((Literal){.condition = number, .taken = 0}));
    bool possible = session_feasible(tracking.session, all.items, all.count, NULL, NULL, 0);
    VEC_FREE(&tracking.restart_with);
    tracking.restart_with.items = all.items;
    tracking.restart_with.count = all.count;
    tracking.restart_with.room = all.room;
    return possible;
}

static bool is_input_of_now(ExprId e)
{
    const uint64_t *asked = map_find(&tracking.asked, e.id);
    return asked && *asked == tracking_moment();
}

/* Does the expression depend only on inputs that the running thread asked for at this moment? */
static bool is_news(ExprId e)
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

/* Nobody else acts on inputs that violate the assumption: there is nobody else, or nobody can know them. Otherwise
 * what others do with such inputs may come before the assumption and matters. */
static bool concerns_nobody(ExprId condition)
{
    bool alone = rt.self->id == 0 && rt.self->children == 0;
    return alone || is_news(condition);
}

void assume_condition(ExprId condition, bool holds)
{
    if (rt.self && !expr_is_const(tracking.pool, condition, NULL) && !concerns_nobody(condition)) {
        branch_decide(condition, holds);
        return;
    }
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || !branch_agrees(condition, holds) ||
        branch_record(condition))
        return;
    uint32_t number = session_assumption(tracking.session, condition);
    if (!holds && number && !tracking.no_restart && rt.ex->event_count >= rt.plan_length && other_inputs_will_do(number)) {
        tracking.restart = true;
        scheduler_finish(END_ABANDONED);
    }
    branch_take_step(number, holds);
}
