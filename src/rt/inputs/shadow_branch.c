/* shadow_branch.c - decisions that the inputs take
 *
 * Each is a step of its own that touches nothing: the other outcome is known without
 * running it, and what the step does in its thread does not depend on the order of threads.
 * Whether it is one must not depend on that order either: a condition is left out only if
 * the same thread has decided it before.
 */
#include "rt/actors/actor_fault.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/tracking.h"

static Bits join_halves(uint64_t low, uint64_t high) { return (Bits)high << 64 | low; }

static _Noreturn void diverge(void)
{
    rt.ex->diverged_at = rt.ex->event_count - 1;
    scheduler_finish(END_DIVERGED);
}

bool tracking_decided(ExprId condition)
{
    bool added;
    map_insert(&tracking.decided, (uint64_t)rt.self->id << 32 | condition.id, &added);
    if (added)
        map_insert(&tracking.decided, (uint64_t)rt.self->id << 32 | expr_not(tracking.pool, condition).id, NULL);
    return !added;
}

static void take_step(uint32_t number, bool holds)
{
    if (!number) { /* the archive is full, which its statistics tell */
        tracking.shared->concretised_total++;
        return;
    }
    uint32_t steps = rt.agents[rt.self->id].steps;
    step_begin(OP_BRANCH, 0);
    if (!rt.self->section_depth)
        rt.announced.flags |= EVENT_FIXED;
    step_wait();
    rt.self->decisions += rt.agents[rt.self->id].steps - steps;
    if (!execution_branch(rt.ex, number, holds ? 0 : 1))
        diverge();
}

static void add_concretised(TrackingShared *shared, uint64_t site, const char *what, uint64_t count)
{
    shared->concretised_total += count;
    for (uint32_t i = 0; i < shared->concretised_count; i++)
        if (shared->concretised[i].site == site) {
            shared->concretised[i].count += count;
            return;
        }
    if (site == 0 || shared->concretised_count == MAX_CONCRETISED)
        return; /* part of the total only */
    Concretised *entry = &shared->concretised[shared->concretised_count];
    *entry = (Concretised){.site = site, .count = count};
    snprintf(entry->what, sizeof entry->what, "%s", what);
    shared->concretised_count++;
}

void tracking_note_concretised(const char *what)
{
    add_concretised(tracking.shared, site_name(sennit_rt_site), what, 1);
}

void program_c_add_concretised(uint64_t site, const char *what, uint64_t count)
{
    if (tracking.on)
        add_concretised(tracking.shared, site, what, count);
}

/* Does the expression have the value that the program computed? If code that is not
 * instrumented changed something unseen, it has not: then it must not decide anything. */
static bool agrees(ExprId condition, bool holds)
{
    Bits value;
    if (session_evaluate(tracking.session, condition, &value) && (value != 0) == holds)
        return true;
    tracking_note_concretised("changed by other code");
    return false;
}

void tracking_decide(ExprId condition, bool holds)
{
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || !agrees(condition, holds) ||
        tracking_decided(condition))
        return;
    take_step(session_condition(tracking.session, condition), holds);
}

void tracking_decide_in_step(ExprId condition, bool holds)
{
    if (expr_is_const(tracking.pool, condition, NULL) || !agrees(condition, holds) || tracking_decided(condition))
        return;
    uint32_t number = session_condition(tracking.session, condition);
    rerun_always();
    if (number && !execution_branch(rt.ex, number, holds ? 0 : 1))
        diverge();
}

/* ---- Assumptions ------------------------------------------------------------------------ */

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

uint64_t tracking_moment(void)
{
    return (uint64_t)(rt.self->id + 1) << 32 | (rt.agents[rt.self->id].steps - rt.self->decisions + rt.self->children);
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

void tracking_assume(ExprId condition, bool holds)
{
    if (rt.self && !expr_is_const(tracking.pool, condition, NULL) && !concerns_nobody(condition)) {
        tracking_decide(condition, holds);
        return;
    }
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || !agrees(condition, holds) ||
        tracking_decided(condition))
        return;
    uint32_t number = session_assumption(tracking.session, condition);
    if (!holds && number && !tracking.stays && rt.ex->event_count >= rt.plan_length && other_inputs_will_do(number)) {
        tracking.restart = true;
        scheduler_finish(END_ABANDONED);
    }
    take_step(number, holds);
}

/* ---- Values ------------------------------------------------------------------------------- */

void tracking_concretise(ExprId value, Bits concrete, const char *what)
{
    Bits whole;
    if (expr_sort(tracking.pool, value) > 64 && session_evaluate(tracking.session, value, &whole))
        concrete = whole; /* callers know the low half only */
    ExprId constant = expr_const(tracking.pool, expr_sort(tracking.pool, value), concrete);
    ExprId condition = expr_binary(tracking.pool, EXPR_EQ, value, constant);
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || tracking_decided(condition))
        return;
    tracking_note_concretised(what);
    take_step(session_assumption(tracking.session, condition), true);
}

/* "value < limit" decided for the concrete value. */
static bool decide_below(ExprId value, uint64_t concrete, uint64_t limit)
{
    ExprId constant = expr_const(tracking.pool, expr_sort(tracking.pool, value), limit);
    tracking_decide(expr_binary(tracking.pool, EXPR_ULT, value, constant), concrete < limit);
    return concrete < limit;
}

void tracking_narrow(ExprId value, uint64_t concrete, uint64_t stride, uint64_t window, uint64_t *low, uint64_t *high)
{
    while ((*high - *low) / stride >= window) {
        uint64_t middle = *low + ((*high - *low) / stride + 1) / 2 * stride;
        if (decide_below(value, concrete, middle))
            *high = middle - stride;
        else
            *low = middle;
    }
}

/* A value is found bit by bit from the top, like a number guessed by halving. */
void tracking_pin(ExprId value, Bits concrete)
{
    Sort sort = expr_sort(tracking.pool, value);
    Bits known = 0;
    for (unsigned bit = sort; bit-- > 0;) {
        Bits one = (Bits)1 << bit;
        ExprId limit = expr_const(tracking.pool, sort, known + one);
        tracking_decide(expr_binary(tracking.pool, EXPR_ULT, value, limit), concrete < known + one);
        if (concrete >= known + one)
            known += one;
    }
}

/* ---- Hooks ------------------------------------------------------------------------------------ */

void sennit_rt_shadow_branch(uint32_t s, uint32_t value, const SennitSite *site)
{
    sennit_rt_site = site;
    tracking_decide(shadow_expr(s), value != 0);
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

/* One decision per successor, in their order, until the one that is taken. */
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
        tracking_decide(is_case(shadow_expr(s), cases, count, target), target == taken);
        if (target == taken)
            return;
    }
}

void sennit_rt_shadow_concrete(uint32_t s, uint64_t value, const char *what, const SennitSite *site)
{
    sennit_rt_site = site;
    tracking_concretise(shadow_expr(s), join_halves(value, 0), what);
}

void sennit_rt_shadow_decide(uint32_t s, uint64_t value, uint32_t is_pointer, const SennitSite *site)
{
    sennit_rt_site = site;
    if (is_pointer)
        sennit_rt_shadow_pointer(s, (const void *)(uintptr_t)value, 0, SENNIT_ACCESS_SHARED, site);
    else
        tracking_pin(shadow_expr(s), value);
}
