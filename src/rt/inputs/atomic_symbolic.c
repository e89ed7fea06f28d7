/* atomic_symbolic.c - atomic operations of tracked code
 *
 * A compare-and-swap whose outcome is symbolic decides it inside its step: whether it writes is
 * known only then. After other steps it may find a symbolic value where it found a concrete one,
 * or have to decide what it has decided before; so it may have to be run again (rerun.h). Where
 * the word never held a symbolic value, the operands are concrete and the thread continues
 * without a scheduling point, the operations are those of plain code. (SHD-5)
 */
#include "rt/inputs/atomic_symbolic.h"

#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/step.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/atomic.h"
#include "rt/sync/section.h"
#include "rt/weak/weak_step.h"

ExprId atomic_expr(uint32_t shadow, uint32_t size, uint64_t value)
{
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)(8 * size), value & word_mask(size));
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* The first access of the step being executed; in an atomic section it is not the first of the event. */
static Access *first_access(void) { return &rt.ex->accesses[step_event()->first_access + section_offset(rt.self)]; }

void atomic_store_in_step(Word word, uint64_t value, uint32_t shadow)
{
    stamp_before_store(word);
    globals_note_write(word.address, word.size);
    word_store(word.address, value, word.size);
    shadow_memory_set(word.address, shadow, 8 * word.size);
}

void atomic_finish(Word word, Mode mode, uint64_t before, uint64_t after, uint32_t order)
{
    RaceOp log = mode == MODE_READ ? LOG_LOAD : rmw_race_op(mode);
    Access *access = first_access();
    access->mode = (uint8_t)mode;
    access->before = (int64_t)before;
    access->after = (int64_t)after;
    race_log_add(log, word.address, rt.self->observes ? __ATOMIC_RELAXED : order);
    race_atomic(word, mode != MODE_READ);
}

static bool is_tracked(const void *p, uint32_t size)
{
    return rt.self && tracking.on && (address_of(p) & 7) + size <= 8;
}

/* The usual case. */
static bool is_plain(const void *p, uint32_t size, uint32_t s)
{
    return LIKELY(!s && atomic_is_fast(rt.self, address_of(p), size) && !shadow_memory_touched(address_of(p)));
}

static uint32_t shadow_of_word(Word word)
{
    return shadow_memory_get(word.address, (const void *)(uintptr_t)word.address, 8 * word.size);
}

/* ---- Loads ---------------------------------------------------------------------------------- */

uint64_t sennit_rt_shadow_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site)
{
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakValue found = weak_load(&target);
        sennit_rt_shadow_call.results[0] = found.shadow;
        return found.value;
    }
    uint64_t value = sennit_rt_atomic_load(p, size, order, site);
    sennit_rt_shadow_call.results[0] = shadow_memory_used() ? sennit_rt_shadow_load(p, 0, 8 * size) : 0;
    return value;
}

/* ---- Stores --------------------------------------------------------------------------------- */

void sennit_rt_shadow_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site,
                                   uint32_t s)
{
    if (is_plain(p, size, s)) {
        sennit_rt_atomic_store(p, value, size, order, site);
        return;
    }
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        weak_store(&target, (WeakValue){value, s});
        return;
    }
    if (!is_tracked(p, size)) {
        sennit_rt_atomic_store(p, value, size, order, site);
        if (rt.self)
            shadow_memory_put(address_of(p), s, 8 * size);
        return;
    }
    Word word = word_first(address_of(p), size);
    sennit_rt_site = site;
    step_begin(OP_ATOMIC_STORE, word_resource(word.address))->lanes = word.lanes;
    step_wait();
    memory_check_in_step(word.address, size, true);
    uint64_t old = word_load(word.address, size);
    atomic_store_in_step(word, value, s);
    stamp_stored(word, s != 0);
    Access *access = first_access();
    access->before = (int64_t)old;
    access->after = (int64_t)(value & word_mask(size));
    race_log_add(LOG_STORE, word.address, rt.self->observes ? __ATOMIC_RELAXED : order);
    race_atomic(word, true);
    step_done();
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

uint32_t atomic_update_shadow(uint32_t op, uint32_t s_old, uint64_t old, uint32_t s_value, uint64_t value,
                              uint32_t size)
{
    if (!s_value && !s_old)
        return 0;
    ExprId now = update_expr(op, atomic_expr(s_old, size, old), atomic_expr(s_value, size, value));
    return shadow_of_expr(now);
}

static bool is_floating(uint32_t op) { return op >= SENNIT_RMW_FADD; }

static void concretise(uint32_t s, uint64_t value, const char *what)
{
    if (s)
        concretise_value(shadow_expr(s), value, what);
}

static uint64_t rmw_in_step(Word word, uint32_t op, uint64_t value, uint32_t s, Mode mode, uint32_t order,
                            uint32_t *s_old)
{
    uint64_t old = word_load(word.address, word.size);
    uint64_t new = rmw_updated(op, old, value, word.size) & word_mask(word.size);
    *s_old = shadow_of_word(word);
    uint32_t now = atomic_update_shadow(op, *s_old, old, s, value, word.size);
    if (s) /* it may leave a concrete value now, and a symbolic one after other steps */
        shadow_memory_note(word.address);
    atomic_store_in_step(word, new, now);
    if (mode == MODE_WRITE)
        stamp_stored(word, s || now || (*s_old && op != SENNIT_RMW_XCHG));
    else
        stamp_updated(word, s != 0);
    atomic_finish(word, mode, old, new, order);
    step_done();
    return old;
}

/* A symbolic floating-point number in memory is concretised after the step that reads it. */
uint64_t sennit_rt_shadow_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t unused, const SennitSite *site, uint32_t s)
{
    uint32_t s_old = 0;
    uint64_t old;
    if (is_plain(p, size, s)) {
        sennit_rt_shadow_call.results[0] = 0;
        return sennit_rt_atomic_rmw(p, op, value, size, order, unused, site);
    }
    sennit_rt_site = site;
    if (is_floating(op))
        concretise(s, value, "floating point");
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakValue found = weak_update(&target, op, (WeakValue){value, is_floating(op) ? 0 : s});
        old = found.value;
        s_old = found.shadow;
    } else if (!is_tracked(p, size)) {
        s_old = rt.self ? shadow_memory_get(address_of(p), p, 8 * size) : 0;
        old = sennit_rt_atomic_rmw(p, op, value, size, order, unused, site);
        if (rt.self)
            shadow_memory_put(address_of(p), atomic_update_shadow(op, s_old, old, s, value, size), 8 * size);
    } else {
        Word word = word_first(address_of(p), size);
        Mode mode = rmw_mode(op, unused);
        Access *access = step_begin(OP_ATOMIC_RMW, word_resource(word.address));
        access->lanes = word.lanes;
        access->mode = (uint8_t)mode;
        access->operand = (int64_t)(value & word_mask(size));
        step_wait();
        memory_check_in_step(word.address, size, true);
        old = rmw_in_step(word, op, value, is_floating(op) ? 0 : s, mode, order, &s_old);
    }
    if (is_floating(op))
        concretise(s_old, old, "floating point");
    sennit_rt_shadow_call.results[0] = s_old;
    return old;
}

/* ---- Compare and swap ------------------------------------------------------------------------ */

/* A misaligned object: its values are concretised. */
static uint64_t cas_across_words(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                 uint32_t failure, uint32_t weak, const SennitSite *site, uint32_t s_expected,
                                 uint32_t s_desired)
{
    if (rt.self && tracking.on) {
        static const char what[] = "misaligned atomic object";
        sennit_rt_site = site;
        concretise(s_expected, expected, what);
        concretise(s_desired, desired, what);
        concretise_memory(address_of(p), size, what);
    }
    return sennit_rt_atomic_cas(p, expected, desired, size, success, failure, weak, site);
}

/* Decides whether the value found is the expected one, if that is symbolic. */
static void decide_equal(Word word, uint32_t s_old, uint64_t old, uint32_t s_expected, uint64_t expected)
{
    ExprId found = atomic_expr(s_old, word.size, old), wanted = atomic_expr(s_expected, word.size, expected);
    ExprId condition = expr_binary(tracking.pool, EXPR_EQ, found, wanted);
    bool open = !expr_is_const(tracking.pool, condition, NULL);
    rerun_always();
    if (open)
        branch_decide_in_step(condition, old == expected);
    if (open || s_expected)
        first_access()->role = ROLE_NONE;
}

uint64_t sennit_rt_shadow_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                              uint32_t failure, uint32_t weak, const SennitSite *site, uint32_t s_expected,
                              uint32_t s_desired)
{
    sennit_rt_shadow_call.results[0] = sennit_rt_shadow_call.results[1] = 0;
    sennit_rt_site = site;
    if (UNLIKELY(weak && rt.options.weak_cas && rt.self && tracking.on))
        report_refused("a weak compare-and-exchange in a program with inputs needs --weak-cas=off");
    if (is_plain(p, size, s_expected | s_desired)) {
        uint64_t found = sennit_rt_atomic_cas(p, expected, desired, size, success, failure, weak, site);
        if (tracking.on)
            rerun_mark(false);
        return found;
    }
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, success, site);
        WeakValue wanted = {expected, s_expected}, found = weak_cas(&target, failure, wanted,
                                                                    (WeakValue){desired, s_desired}, NULL);
        sennit_rt_shadow_call.results[0] = found.shadow;
        return found.value;
    }
    if (!is_tracked(p, size))
        return cas_across_words(p, expected, desired, size, success, failure, weak, site, s_expected, s_desired);
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
    uint32_t s_old = shadow_of_word(word);
    bool equal = old == expected;
    if (s_old || s_expected)
        decide_equal(word, s_old, old, s_expected, expected);
    else
        rerun_mark(false);
    if (equal) {
        atomic_store_in_step(word, desired, s_desired);
        stamp_stored(word, s_desired != 0);
    }
    atomic_finish(word, equal ? MODE_WRITE : MODE_READ, old, equal ? desired : old, equal ? success : failure);
    step_done();
    sennit_rt_shadow_call.results[0] = s_old;
    return old;
}
