/* atomic_symbolic.c - atomic updates of values that depend on inputs
 *
 * A compare-and-swap whose outcome depends on inputs decides it inside its step: whether
 * it writes is known only then. After other steps it may find a value that depends on inputs
 * where it found none now, or have to decide what it has decided before; so each is opaque.
 */
#include <string.h>

#include "rt/globals.h"
#include "rt/memory.h"
#include "rt/race.h"
#include "rt/section.h"
#include "rt/tracking.h"
#include "rt/word.h"

static ExprId either(uint32_t shadow, uint32_t size, uint64_t value)
{
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)(8 * size), value & word_mask(size));
}

/* ---- Read-modify-write -------------------------------------------------------------------- */

static ExprId choose(ExprOp relation, ExprId a, ExprId b)
{
    return expr_ite(tracking.pool, expr_binary(tracking.pool, relation, a, b), a, b);
}

/* None if there is no expression for it. */
static ExprId update_expr(uint32_t op, ExprId old, ExprId operand)
{
    ExprPool *pool = tracking.pool;
    switch (op) {
    case SENNIT_RMW_XCHG: return operand;
    case SENNIT_RMW_ADD: return expr_binary(pool, EXPR_ADD, old, operand);
    case SENNIT_RMW_SUB: return expr_binary(pool, EXPR_SUB, old, operand);
    case SENNIT_RMW_AND: return expr_binary(pool, EXPR_AND, old, operand);
    case SENNIT_RMW_NAND: return expr_not(pool, expr_binary(pool, EXPR_AND, old, operand));
    case SENNIT_RMW_OR: return expr_binary(pool, EXPR_OR, old, operand);
    case SENNIT_RMW_XOR: return expr_binary(pool, EXPR_XOR, old, operand);
    case SENNIT_RMW_MAX: return choose(EXPR_SGT, old, operand);
    case SENNIT_RMW_MIN: return choose(EXPR_SLT, old, operand);
    case SENNIT_RMW_UMAX: return choose(EXPR_UGT, old, operand);
    case SENNIT_RMW_UMIN: return choose(EXPR_ULT, old, operand);
    default: return EXPR_NONE;
    }
}

uint32_t sennit_rt_shadow_rmw(void *p, uint32_t op, uint32_t s, uint64_t value, uint32_t size, uint64_t old)
{
    uint32_t s_old = shadow_memory_get(address_of(p), &old, 8 * size);
    if (!s && !s_old) {
        shadow_memory_clear(address_of(p), size);
        return 0;
    }
    ExprId now = update_expr(op, either(s_old, size, old), either(s, size, value));
    if (expr_is_none(now)) {
        if (s)
            tracking_concretise(shadow_expr(s), value, "floating point");
        if (s_old)
            tracking_concretise(shadow_expr(s_old), old, "floating point");
        shadow_memory_clear(address_of(p), size);
        return s_old;
    }
    shadow_memory_put(address_of(p), expr_is_const(tracking.pool, now, NULL) ? 0 : now.id, 8 * size);
    return s_old;
}

/* ---- Compare and swap ------------------------------------------------------------------------ */

static void perform(Access *access, Word word, uint64_t old, bool equal, uint64_t desired, uint32_t s_desired, uint32_t order)
{
    if (equal) {
        globals_note_write(word.address, word.size);
        word_store(word.address, desired, word.size);
        shadow_memory_put(word.address, s_desired, 8 * word.size);
    }
    access->mode = equal ? MODE_WRITE : MODE_READ;
    access->before = (int64_t)old;
    access->after = (int64_t)(equal ? desired : old);
    race_log_add(equal ? LOG_RMW : LOG_LOAD, word.address, order);
    race_atomic(word, equal);
}

uint64_t sennit_rt_shadow_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                              uint32_t failure, uint32_t weak, const SennitSite *site, uint32_t s_expected,
                              uint32_t s_desired)
{
    sennit_rt_shadow_call.results[0] = sennit_rt_shadow_call.results[1] = 0;
    if (!rt.self || !tracking.on || (address_of(p) & 7) + size > 8)
        return sennit_rt_atomic_cas(p, expected, desired, size, success, failure, weak, site);
    Word word = word_first(address_of(p), size);
    expected &= word_mask(size);
    desired &= word_mask(size);
    sennit_rt_site = site;
    Access *access = step_begin(OP_ATOMIC_CAS, word_resource(word.address));
    access->lanes = word.lanes;
    if (!s_expected)
        step_switch(access, REL_EQ, (int64_t)expected, MODE_WRITE, MODE_READ);
    step_wait();
    memory_check_in_step(word.address, size, true);
    uint64_t old = word_load(word.address, size);
    uint32_t s_old = shadow_memory_get(word.address, p, 8 * size);
    bool equal = old == expected;
    step_event()->flags |= EVENT_OPAQUE | EVENT_RERUN;
    access = &rt.ex->accesses[step_event()->first_access + section_offset(rt.self)];
    ExprId condition = expr_binary(tracking.pool, EXPR_EQ, either(s_old, size, old), either(s_expected, size, expected));
    bool open = !expr_is_const(tracking.pool, condition, NULL);
    if (open)
        tracking_decide_in_step(condition, equal);
    if (open || s_expected)
        access->role = ROLE_NONE;
    perform(access, word, old, equal, desired, s_desired, equal ? success : failure);
    step_done();
    sennit_rt_shadow_call.results[0] = s_old;
    return old;
}
