/* atomic_wide.c - atomic operations on objects that lie in more than one word
 *
 * Their values are passed in memory, with their shadows.
 */
#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/argument.h"
#include "rt/kernel/step.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/word.h"
#include "rt/sync/atomic.h"
#include "rt/sync/section.h"
#include "rt/weak/order.h"
#include "rt/weak/weak_step.h"
#include "rt/weak/wide.h"

/* Announces all words of a range and waits; note_range sets the values. */
static void step_range(OpKind op, const void *p, uint64_t size, Mode mode, const SennitSite *site)
{
    uint64_t address = address_of(p);
    sennit_rt_site = site;
    step_begin(op, 0);
    for (uint64_t left = size; left;) {
        Word word = word_first(address, left);
        step_touch(word_resource(word.address), mode)->lanes = word.lanes;
        address += word.size;
        left -= word.size;
    }
    step_wait();
    memory_check_in_step(address_of(p), size, mode != MODE_READ);
}

static void note_range(const void *p, uint64_t size, RaceOp log, uint32_t order, bool after)
{
    uint64_t address = address_of(p);
    if (!rt.self)
        return;
    for (unsigned n = section_offset(rt.self); size; n++) {
        Word word = word_first(address, size);
        Access *access = &rt.ex->accesses[step_event()->first_access + n];
        access->after = (int64_t)word_load(word.address, word.size);
        if (!after) {
            access->before = access->after;
            race_log_add(log, word.address, rt.self->observes ? __ATOMIC_RELAXED : order);
            race_atomic(word, log != LOG_LOAD);
        }
        address += word.size;
        size -= word.size;
    }
}

/* ---- Symbolic values ------------------------------------------------------------------------ */

static void copy_shadows(void *to, const void *from, uint64_t size)
{
    if (UNLIKELY(tracking.on) && rt.self)
        shadow_memory_copy(address_of(to), address_of(from), size);
}

static ExprId part_expr(const void *p, uint64_t offset, uint32_t size)
{
    const char *at = (const char *)p + offset;
    uint64_t value = word_load(address_of(at), size);
    uint32_t shadow = shadow_memory_get(address_of(at), at, 8 * size);
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)(8 * size), value);
}

/* Whether they are equal may be a condition on inputs, now or after other steps. */
static void decide_equal(const void *a, const void *b, uint64_t size, bool equal)
{
    ExprId all = expr_bool(tracking.pool, true);
    for (uint64_t offset = 0; offset < size; offset += 8) {
        uint32_t part = size - offset < 8 ? (uint32_t)(size - offset) : 8;
        ExprId same = expr_binary(tracking.pool, EXPR_EQ, part_expr(a, offset, part), part_expr(b, offset, part));
        all = expr_binary(tracking.pool, EXPR_AND, all, same);
    }
    if (expr_is_const(tracking.pool, all, NULL))
        rerun_mark(false);
    else
        rerun_always();
    branch_decide_in_step(all, equal);
}

/* ---- Under weak memory -------------------------------------------------------------------- */

/* An object that lies in one word is a location like any other; one of two words has values with names (wide.h). */
static WeakValue weak_get(const void *p, uint64_t size)
{
    WeakValue value = {.value = wide_load(p, (unsigned)size)};
    if (UNLIKELY(tracking.on) && size <= 8)
        value.shadow = shadow_memory_get(address_of(p), p, 8 * (uint32_t)size);
    return value;
}

static void weak_put(void *p, uint64_t size, WeakValue value)
{
    wide_store(p, value.value, (unsigned)size);
    if (UNLIKELY(tracking.on) && size > 8)
        shadow_memory_overwritten(p, size);
    else if (UNLIKELY(tracking.on))
        shadow_memory_put(address_of(p), value.shadow, 8 * (uint32_t)size);
}

static bool weak_cas_n(const WeakTarget *target, void *expected, const void *desired, uint32_t failure)
{
    unsigned size = target->word.size;
    WeakValue wanted = weak_get(expected, size);
    WeakValue found = weak_cas(target, failure, wanted, weak_get(desired, size), NULL);
    if (found.value == wanted.value)
        return true;
    weak_put(expected, size, found);
    return false;
}

/* ---- Operations --------------------------------------------------------------------------- */

void sennit_rt_atomic_load_n(uint64_t size, const void *p, void *result, uint32_t order, const SennitSite *site)
{
    sennit_rt_site = site;
    order_check(ORDER_OF_LOAD, order);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        weak_put(result, size, weak_load(&target));
        return;
    }
    step_range(OP_ATOMIC_LOAD, p, size, MODE_READ, site);
    note_range(p, size, LOG_LOAD, order, false);
    memcpy(result, p, size);
    copy_shadows(result, p, size);
    step_done();
}

void sennit_rt_atomic_store_n(uint64_t size, void *p, const void *value, uint32_t order, const SennitSite *site)
{
    sennit_rt_site = site;
    order_check(ORDER_OF_STORE, order);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        weak_store(&target, weak_get(value, size));
        return;
    }
    step_range(OP_ATOMIC_STORE, p, size, MODE_WRITE, site);
    note_range(p, size, LOG_STORE, order, false);
    globals_note_write(address_of(p), size);
    memcpy(p, value, size);
    copy_shadows(p, value, size);
    note_range(p, size, LOG_STORE, order, true);
    step_done();
}

void sennit_rt_atomic_xchg_n(uint64_t size, void *p, const void *value, void *result, uint32_t order,
                             const SennitSite *site)
{
    char old[256], new[256];
    sennit_rt_site = site;
    order_check(ORDER_OF_UPDATE, order);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        weak_put(result, size, weak_update(&target, SENNIT_RMW_XCHG, weak_get(value, size)));
        return;
    }
    if (size > sizeof old)
        report_not_modelled("an atomic object of more than 256 bytes");
    step_range(OP_ATOMIC_RMW, p, size, MODE_WRITE, site);
    note_range(p, size, LOG_RMW, order, false);
    globals_note_write(address_of(p), size);
    memcpy(old, p, size);
    copy_shadows(old, p, size);
    memcpy(new, value, size); /* `result` may be the same memory */
    copy_shadows(new, value, size);
    memcpy(result, old, size);
    copy_shadows(result, old, size);
    memcpy(p, new, size);
    copy_shadows(p, new, size);
    shadow_memory_overwritten(old, size);
    shadow_memory_overwritten(new, size);
    note_range(p, size, LOG_RMW, order, true);
    step_done();
}

/* A failed exchange of several words counts as a write too: no condition on one word expresses
 * whether it fails. */
uint32_t sennit_rt_atomic_cas_n(uint64_t size, void *p, void *expected, const void *desired,
                                uint32_t success, uint32_t failure, const SennitSite *site)
{
    ARGUMENT_STAYS(site);
    sennit_rt_site = site;
    order_check(ORDER_OF_UPDATE, success);
    order_check(ORDER_OF_FAILURE, failure);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, success, site);
        return weak_cas_n(&target, expected, desired, failure);
    }
    step_range(OP_ATOMIC_CAS, p, size, MODE_WRITE, site);
    bool equal = memcmp(p, expected, size) == 0;
    if (UNLIKELY(tracking.on) && rt.self)
        decide_equal(p, expected, size, equal);
    note_range(p, size, equal ? LOG_RMW : LOG_LOAD, equal ? success : failure, false);
    if (equal) {
        globals_note_write(address_of(p), size);
        memcpy(p, desired, size);
        copy_shadows(p, desired, size);
        note_range(p, size, LOG_RMW, success, true);
    } else {
        memcpy(expected, p, size);
        copy_shadows(expected, p, size);
    }
    step_done();
    return equal;
}

uint64_t atomic_wide_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site)
{
    uint64_t old = 0, new;
    step_range(OP_ATOMIC_RMW, p, size, MODE_WRITE, site);
    note_range(p, size, LOG_RMW, order, false);
    globals_note_write(address_of(p), size);
    memcpy(&old, p, size);
    new = rmw_updated(op, old, value, size);
    memcpy(p, &new, size);
    note_range(p, size, LOG_RMW, order, true);
    step_done();
    return old;
}
