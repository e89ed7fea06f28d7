/* branch.c - decisions on symbolic conditions
 *
 * Each is a step of its own that accesses nothing: the other outcome is known without
 * running it, and what the step does in its thread does not depend on the order of threads.
 * Whether there is such a step must not depend on that order either: a condition is left out
 * only if the same thread has decided it before.
 */
#include "rt/inputs/branch.h"

#include "rt/inputs/concretise.h"
#include "rt/inputs/rerun.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"

static _Noreturn void diverge(void)
{
    rt.ex->diverged_at = rt.ex->event_count - 1;
    scheduler_finish(END_DIVERGED);
}

bool branch_record(ExprId condition)
{
    bool added;
    map_insert(&tracking.decided, (uint64_t)rt.self->id << 32 | condition.id, &added);
    if (added)
        map_insert(&tracking.decided, (uint64_t)rt.self->id << 32 | expr_not(tracking.pool, condition).id, NULL);
    return !added;
}

void branch_take_step(uint32_t number, bool holds)
{
    if (!number) { /* the archive is full, which its statistics say */
        tracking.shared->concretised_total++;
        return;
    }
    uint32_t steps = rt.agents[rt.self->id].steps;
    step_begin(OP_BRANCH, 0);
    if (!rt.self->section_depth)
        rt.announced.flags |= EVENT_FIXED;
    step_wait();
    rt.self->decisions += rt.agents[rt.self->id].steps - steps;
    scheduler_need_choice();
    if (!execution_branch(rt.ex, number, holds ? 0 : 1))
        diverge();
}

bool branch_agrees(ExprId condition, bool holds)
{
    Bits value;
    if (session_evaluate(tracking.session, condition, &value) && (value != 0) == holds)
        return true;
    concretise_note("value changed by uninstrumented code");
    return false;
}

void branch_decide(ExprId condition, bool holds)
{
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || !branch_agrees(condition, holds) ||
        branch_record(condition))
        return;
    branch_take_step(session_condition(tracking.session, condition), holds);
}

void branch_decide_in_step(ExprId condition, bool holds)
{
    if (expr_is_const(tracking.pool, condition, NULL) || !branch_agrees(condition, holds) || branch_record(condition))
        return;
    uint32_t number = session_condition(tracking.session, condition);
    rerun_always();
    scheduler_need_choice();
    if (number && !execution_branch(rt.ex, number, holds ? 0 : 1))
        diverge();
}

/* ---- Values ------------------------------------------------------------------------------- */

/* "value < limit" decided for the concrete value. */
static bool decide_below(ExprId value, uint64_t concrete, uint64_t limit)
{
    ExprId constant = expr_const(tracking.pool, expr_sort(tracking.pool, value), limit);
    branch_decide(expr_binary(tracking.pool, EXPR_ULT, value, constant), concrete < limit);
    return concrete < limit;
}

void branch_narrow(ExprId value, uint64_t concrete, uint64_t stride, uint64_t window, uint64_t *low, uint64_t *high)
{
    while ((*high - *low) / stride >= window) {
        uint64_t middle = *low + ((*high - *low) / stride + 1) / 2 * stride;
        if (decide_below(value, concrete, middle))
            *high = middle - stride;
        else
            *low = middle;
    }
}

/* Bit by bit from the top: binary search. */
void branch_pin(ExprId value, Bits concrete)
{
    Sort sort = expr_sort(tracking.pool, value);
    Bits known = 0;
    for (unsigned bit = sort; bit-- > 0;) {
        Bits one = (Bits)1 << bit;
        ExprId limit = expr_const(tracking.pool, sort, known + one);
        branch_decide(expr_binary(tracking.pool, EXPR_ULT, value, limit), concrete < known + one);
        if (concrete >= known + one)
            known += one;
    }
}

/* ---- Hooks ------------------------------------------------------------------------------------ */

void sennit_rt_shadow_branch(uint32_t s, uint32_t value, const SennitSite *site)
{
    sennit_rt_site = site;
    branch_decide(shadow_expr(s), value != 0);
}

static ExprId is_case(ExprId value, const SennitCase *cases, uint32_t count, uint32_t target)
{
    ExprId any = expr_bool(tracking.pool, false);
    for (uint32_t i = 0; i < count; i++) {
        if (cases[i].target != target)
            continue;
        ExprId constant =
            expr_const(tracking.pool, expr_sort(tracking.pool, value), join_halves(cases[i].value, cases[i].high));
        any = expr_binary(tracking.pool, EXPR_OR, any, expr_binary(tracking.pool, EXPR_EQ, value, constant));
    }
    return any;
}

/* One decision per successor, in order, up to the one that is taken. */
void sennit_rt_shadow_switch(uint32_t s, uint64_t value, uint64_t high, const SennitCase *cases, uint32_t count,
                             const SennitSite *site)
{
    uint32_t taken = 0;
    sennit_rt_site = site;
    for (uint32_t i = 0; i < count; i++)
        if (cases[i].value == value && cases[i].high == high)
            taken = cases[i].target;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = cases[i].target;
        bool seen = target == 0;
        for (uint32_t k = 0; k < i; k++)
            seen = seen || cases[k].target == target;
        if (seen)
            continue;
        branch_decide(is_case(shadow_expr(s), cases, count, target), target == taken);
        if (target == taken)
            return;
    }
}

void sennit_rt_shadow_decide(uint32_t s, uint64_t value, uint32_t is_pointer, const SennitSite *site)
{
    sennit_rt_site = site;
    if (is_pointer)
        sennit_rt_shadow_pointer(s, (const void *)(uintptr_t)value, 0, SENNIT_ACCESS_SHARED, site);
    else
        branch_pin(shadow_expr(s), value);
}
