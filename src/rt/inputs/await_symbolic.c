/* await_symbolic.c - waiting for symbolic values
 *
 * A thread that waits examines every symbolic value once, and decides as a branch does whether it
 * is the one it waits for; concrete values are compared as if inputs did not exist. See stamp.h
 * for the reason.
 */
#include "rt/inputs/atomic_symbolic.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/step.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/atomic.h"
#include "rt/sync/section.h"
#include "rt/weak/weak_step.h"

/* What a thread waits for: (value & mask) relation operand. */
typedef struct Wait {
    OpKind op; /* OP_AWAIT or OP_ASSUME */
    Word word;
    Relation relation;
    uint64_t mask, operand;
    uint32_t s_operand;
    /* What it has seen there that did not end the wait. */
    enum { SEEN_NOTHING, SEEN_VALUE, SEEN_SYMBOLIC } seen;
    int64_t value, stamp, updates;
} Wait;

static Wait wait_on(const void *p, uint32_t size, uint32_t relation, uint64_t mask, uint64_t operand,
                    uint32_t s_operand)
{
    atomic_refuse_wide(p, size);
    return (Wait){.op = OP_AWAIT,
                  .word = word_first(address_of(p), size),
                  .relation = (Relation)relation,
                  .mask = mask & word_mask(size),
                  .operand = operand & word_mask(size),
                  .s_operand = s_operand};
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool holds_for(const Wait *wait, uint64_t value)
{
    Access access = {.lanes = wait->word.lanes,
                     .mask = wait->mask,
                     .operand = (int64_t)wait->operand,
                     .relation = (uint8_t)wait->relation};
    return access_condition_holds(&access, (int64_t)value);
}

static ExprId condition_for(const Wait *wait, uint32_t s_value, uint64_t value)
{
    static const ExprOp ops[] = {[REL_EQ] = EXPR_EQ, [REL_NE] = EXPR_NE, [REL_ULT] = EXPR_ULT, [REL_ULE] = EXPR_ULE,
                                 [REL_UGT] = EXPR_UGT, [REL_UGE] = EXPR_UGE, [REL_SLT] = EXPR_SLT, [REL_SLE] = EXPR_SLE,
                                 [REL_SGT] = EXPR_SGT, [REL_SGE] = EXPR_SGE};
    ExprPool *pool = tracking.pool;
    uint32_t size = wait->word.size;
    if (wait->relation == REL_TRUE)
        return expr_bool(pool, true);
    ExprId part = expr_binary(pool, EXPR_AND, atomic_expr(s_value, size, value), atomic_expr(0, size, wait->mask));
    return expr_binary(pool, ops[wait->relation], part, atomic_expr(wait->s_operand, size, wait->operand));
}

/* ---- Announcing ------------------------------------------------------------------------------- */

/* A symbolic operand must be compared with every value; a concrete one by the thread itself only with symbolic
 * values. */
static void announce(const Wait *wait, Mode mode)
{
    Access *access = step_begin(wait->op, word_resource(wait->word.address));
    access->lanes = wait->word.lanes;
    access->mode = (uint8_t)mode;
    if (mode == MODE_WRITE) /* where it finds a symbolic value it may not write */
        step_opaque();
    if (wait->seen == SEEN_NOTHING && !wait->s_operand) {
        step_guard(access, NULL, wait->relation, (int64_t)wait->operand);
        access->mask = wait->mask;
        stamp_guard(wait->word, 0);
    } else if (wait->seen == SEEN_VALUE) {
        step_guard(access, NULL, REL_NE, wait->value);
        stamp_guard(wait->word, 0);
    } else if (wait->seen == SEEN_SYMBOLIC) {
        stamp_guard(wait->word, wait->stamp);
        stamp_guard_updates(wait->word, wait->updates);
    } else {
        return; /* to be examined in any case */
    }
    step_guard_any();
}

static void read_stamps(void)
{
    const Event *event = step_event();
    for (unsigned i = section_offset(rt.self); i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (stamp_is_resource(access->resource))
            access->before = access->after = stamp_value(access->resource, access->lanes);
    }
}

/* Waits, and begins the step; answers what memory holds. */
static uint64_t examine(Wait *wait, Mode mode, uint32_t *shadow)
{
    Word word = wait->word;
    announce(wait, mode);
    step_wait();
    memory_check_in_step(word.address, word.size, mode != MODE_READ);
    read_stamps();
    uint64_t value = word_load(word.address, word.size);
    *shadow = shadow_memory_get(word.address, (const void *)(uintptr_t)word.address, 8 * word.size);
    wait->value = (int64_t)value;
    wait->stamp = stamp_value(stamp_resource(word.address), word.lanes);
    wait->updates = stamp_value(stamp_updates_resource(word.address), word.lanes);
    wait->seen = wait->stamp ? SEEN_SYMBOLIC : wait->s_operand ? SEEN_VALUE : SEEN_NOTHING;
    return value;
}

/* ---- Under weak memory ------------------------------------------------------------------------------ */

/* What is waited for is concretised, see weak_step.c. */
static WeakWait weak_wait(uint32_t relation, uint64_t mask, uint64_t operand, uint32_t s_operand)
{
    if (s_operand)
        concretise_value(shadow_expr(s_operand), operand, "value that a thread is waiting for");
    return (WeakWait){(Relation)relation, mask, operand, false};
}

static uint64_t weak_result(WeakValue found)
{
    sennit_rt_shadow_call.results[0] = found.shadow;
    return found.value;
}

/* ---- Loads ---------------------------------------------------------------------------------------- */

uint64_t sennit_rt_shadow_await(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                uint64_t operand, const SennitSite *site, uint32_t s_operand)
{
    uint32_t shadow;
    uint64_t value;
    bool over;
    if (!rt.self || !tracking.on)
        return sennit_rt_atomic_await(p, size, order, relation, mask, operand, site);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakWait what = weak_wait(relation, mask, operand, s_operand);
        return weak_result(weak_await(&target, &what));
    }
    Wait wait = wait_on(p, size, relation, mask, operand, s_operand);
    do {
        sennit_rt_site = site;
        value = examine(&wait, MODE_READ, &shadow);
        atomic_finish(wait.word, MODE_READ, value, value, order);
        step_done();
        over = holds_for(&wait, value);
        if (shadow || wait.s_operand)
            branch_decide(condition_for(&wait, shadow, value), over);
    } while (!over);
    sennit_rt_shadow_call.results[0] = shadow;
    return value;
}

/* ---- Read-modify-write ------------------------------------------------------------------------------ */

/* Waits and, in the same step, stores what `op` makes of the value found. */
static uint64_t await_update(Wait *wait, uint32_t op, uint64_t value, uint32_t s_value, uint32_t order,
                             const SennitSite *site, uint32_t *s_old)
{
    for (;;) {
        sennit_rt_site = site;
        uint64_t old = examine(wait, MODE_WRITE, s_old), new = old;
        bool over = holds_for(wait, old);
        step_event()->flags |= wait->stamp ? EVENT_OPAQUE | EVENT_RERUN : 0;
        if (*s_old || wait->s_operand)
            branch_decide_in_step(condition_for(wait, *s_old, old), over);
        if (over) {
            uint32_t now = atomic_update_shadow(op, *s_old, old, s_value, value, wait->word.size);
            new = rmw_updated(op, old, value, wait->word.size) & word_mask(wait->word.size);
            atomic_store_in_step(wait->word, new, now);
            stamp_stored(wait->word, now != 0);
        }
        atomic_finish(wait->word, over ? MODE_WRITE : MODE_READ, old, new, order);
        step_done();
        if (over)
            return old;
    }
}

uint64_t sennit_rt_shadow_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site)
{
    uint32_t s_old;
    if (!rt.self || !tracking.on)
        return sennit_rt_atomic_await_rmw(p, op, value, size, order, relation, mask, operand, site);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakWait what = weak_wait(relation, mask, operand, 0);
        return weak_result(weak_await_update(&target, &what, op, (WeakValue){value, 0}));
    }
    Wait wait = wait_on(p, size, relation, mask, operand, 0);
    uint64_t old = await_update(&wait, op, value, 0, order, site, &s_old);
    sennit_rt_shadow_call.results[0] = s_old;
    return old;
}

void sennit_rt_shadow_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t order,
                                const SennitSite *site, uint32_t s_expected, uint32_t s_desired)
{
    uint32_t s_old;
    if (!rt.self || !tracking.on) {
        sennit_rt_atomic_await_cas(p, expected, desired, size, order, site);
        return;
    }
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakWait what = weak_wait(REL_EQ, UINT64_MAX, expected, s_expected);
        weak_await_update(&target, &what, SENNIT_RMW_XCHG, (WeakValue){desired, s_desired});
        return;
    }
    Wait wait = wait_on(p, size, REL_EQ, UINT64_MAX, expected, s_expected);
    await_update(&wait, SENNIT_RMW_XCHG, desired, s_desired, order, site, &s_old);
}

/* ---- Assumptions --------------------------------------------------------------------------------------- */

/* Concrete values that do not satisfy the assumption are waited for; whether a symbolic one does is left to the
 * program's own call. */
uint64_t sennit_rt_shadow_assume(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                 uint64_t operand, const SennitSite *site, uint32_t s_operand)
{
    uint32_t shadow;
    if (!rt.self || !tracking.on)
        return sennit_rt_atomic_assume(p, size, order, relation, mask, operand, site);
    if (s_operand || relation == REL_TRUE || rt.self->section_depth || weak_applies(rt.self) ||
        (address_of(p) & 7) + size > 8)
        return sennit_rt_shadow_atomic_load(p, size, order, site);
    Wait wait = wait_on(p, size, relation, mask, operand, 0);
    wait.op = OP_ASSUME;
    sennit_rt_site = site;
    uint64_t value = examine(&wait, MODE_READ, &shadow);
    atomic_finish(wait.word, MODE_READ, value, value, order);
    step_done();
    sennit_rt_shadow_call.results[0] = shadow;
    return value;
}

/* The others wait only in programs without inputs. */
uint64_t sennit_rt_shadow_assume_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site,
                                     uint32_t s)
{
    if (rt.self && tracking.on)
        return sennit_rt_shadow_atomic_rmw(p, op, value, size, order, 0, site, s);
    return sennit_rt_atomic_assume_rmw(p, op, value, size, order, relation, mask, operand, site);
}

uint64_t sennit_rt_shadow_assume_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                     uint32_t failure, const SennitSite *site, uint32_t s_expected,
                                     uint32_t s_desired)
{
    if (rt.self && tracking.on)
        return sennit_rt_shadow_cas(p, expected, desired, size, success, failure, 0, site, s_expected, s_desired);
    return sennit_rt_atomic_assume_cas(p, expected, desired, size, success, failure, site);
}
