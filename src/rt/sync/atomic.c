/* atomic.c - atomic loads, stores and updates as visible operations
 *
 * The common case, that the running thread continues at once, is short: one event, one
 * access, the operation itself, and one entry of the race log.
 */
#include "rt/sync/atomic.h"

#include <stddef.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/argument.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/word.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"
#include "rt/sync/section.h"
#include "rt/weak/order.h"
#include "rt/weak/weak_step.h"

/* ---- The common case: the running thread continues at once ------------------------- */

/* Opens the event of a step with one access and returns the access, all of which is to be filled. */
static ALWAYS_INLINE Access *fast_open(Thread *self, OpKind op, const SennitSite *site)
{
    uint32_t first = rt.ex->access_count;
    sennit_rt_site = site;
    step_open(self, (uint16_t)op, site_name(site), 1, 0);
    return &rt.accesses[first];
}

static ALWAYS_INLINE void fast_fill(Access *access, uint64_t address, uint64_t before, uint64_t after,
                                    uint64_t mask, uint64_t operand, uint64_t tail)
{
    access->resource = word_resource(address);
    access->before = (int64_t)before;
    access->after = (int64_t)after;
    access->mask = mask;
    access->operand = (int64_t)operand;
    access_set_tail(access, tail);
}

/* Logs the operation for happens-before, and reports its races with plain accesses. */
static ALWAYS_INLINE void fast_order(uint64_t address, unsigned size, RaceOp log, uint32_t order)
{
    race_log_add(log, address, order);
    race_atomic(word_within(address, size), log != LOG_LOAD);
}

/* ---- The general case ---------------------------------------------------------------- */

static ALWAYS_INLINE Access *announce(Thread *self, OpKind op, Word word, Mode mode, const SennitSite *site)
{
    sennit_rt_site = site;
    if (UNLIKELY(self->special))
        step_settle(self);
    Access *access = &rt.accesses[rt.ex->access_count];
    fast_fill(access, word.address, 0, 0, 0, 0,
              access_tail(ROLE_NONE, REL_TRUE, mode, MODE_NONE, MODE_NONE, word.lanes));
    rt.announced.op = (uint16_t)op;
    rt.announced.flags = 0;
    rt.announced.count = 1;
    rt.announced.guards = 0;
    rt.announced.site = site_name(site);
    return access;
}

/* Waits for the step and returns its access, which may have moved. Inline: behind a switch of stacks the processor
 * predicts no return. */
static ALWAYS_INLINE Access *perform(Thread *self, Word word, bool writes)
{
    step_wait_slow(self);
    memory_check_in_step(word.address, word.size, writes);
    return &rt.ex->accesses[step_event()->first_access + section_offset(self)];
}

/* The operation was performed: logs it and sets its values. */
static void finish(Access *access, Word word, RaceOp log, uint32_t order, uint64_t before, uint64_t after)
{
    race_log_add(log, word.address, rt.self->observes ? __ATOMIC_RELAXED : order);
    race_atomic(word, log != LOG_LOAD);
    access->before = (int64_t)before;
    access->after = (int64_t)after;
    step_done();
}

static bool is_simple(const void *p, uint32_t size) { return rt.self && (address_of(p) & 7) + size <= 8; }

/* ---- Loads ---------------------------------------------------------------------------- */

static __attribute__((noinline)) uint64_t load_slow(const void *p, uint32_t size, uint32_t order,
                                                    const SennitSite *site)
{
    uint64_t value = 0;
    if (rt.self && rt.self->looks) {
        plain_read(address_of(p), size);
        return word_load(address_of(p), size);
    }
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        return weak_load(&target).value;
    }
    if (!is_simple(p, size)) {
        sennit_rt_atomic_load_n(size, p, &value, order, site);
        shadow_memory_overwritten(&value, size); /* the caller sets its shadow */
        return value;
    }
    Word word = word_first(address_of(p), size);
    announce(rt.self, OP_ATOMIC_LOAD, word, MODE_READ, site);
    Access *access = perform(rt.self, word, false);
    value = word_load(word.address, size);
    finish(access, word, LOG_LOAD, order, value, value);
    return value;
}

static ALWAYS_INLINE uint64_t load(const void *p, unsigned size, uint32_t order, const SennitSite *site)
{
    uint64_t address = address_of(p);
    Thread *self = rt.self;
    if (UNLIKELY(!atomic_is_fast(self, address, size)))
        return load_slow(p, size, order, site);
    Access *access = fast_open(self, OP_ATOMIC_LOAD, site);
    memory_check_in_step(address, size, false);
    uint64_t value = word_load(address, size);
    fast_fill(access, address, value, value, 0, 0,
              access_tail(ROLE_NONE, REL_TRUE, MODE_READ, MODE_NONE, MODE_NONE, word_within(address, size).lanes));
    fast_order(address, size, LOG_LOAD, order);
    return value;
}

uint64_t sennit_rt_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site)
{
    switch (size) {
    case 4: return load(p, 4, order, site);
    case 8: return load(p, 8, order, site);
    case 1: return load(p, 1, order, site);
    default: return load(p, 2, order, site);
    }
}

/* ---- Stores ----------------------------------------------------------------------------- */

static __attribute__((noinline)) void store_slow(void *p, uint64_t value, uint32_t size, uint32_t order,
                                                 const SennitSite *site)
{
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        weak_store(&target, (WeakValue){value, 0});
        return;
    }
    if (!is_simple(p, size)) {
        sennit_rt_atomic_store_n(size, p, &value, order, site);
        return;
    }
    Word word = word_first(address_of(p), size);
    announce(rt.self, OP_ATOMIC_STORE, word, MODE_WRITE, site);
    Access *access = perform(rt.self, word, true);
    uint64_t old = word_load(word.address, size);
    globals_note_write(word.address, size);
    word_store(word.address, value, size);
    finish(access, word, LOG_STORE, order, old, value & word_mask(size));
}

static ALWAYS_INLINE void store(void *p, uint64_t value, unsigned size, uint32_t order, const SennitSite *site)
{
    uint64_t address = address_of(p);
    Thread *self = rt.self;
    if (UNLIKELY(!atomic_is_fast(self, address, size))) {
        store_slow(p, value, size, order, site);
        return;
    }
    Access *access = fast_open(self, OP_ATOMIC_STORE, site);
    memory_check_in_step(address, size, true);
    uint64_t old = word_load(address, size);
    globals_note_write(address, size);
    word_store(address, value, size);
    fast_fill(access, address, old, value & word_mask(size), 0, 0,
              access_tail(ROLE_NONE, REL_TRUE, MODE_WRITE, MODE_NONE, MODE_NONE, word_within(address, size).lanes));
    fast_order(address, size, LOG_STORE, order);
}

void sennit_rt_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site)
{
    switch (size) {
    case 4: store(p, value, 4, order, site); break;
    case 8: store(p, value, 8, order, site); break;
    case 1: store(p, value, 1, order, site); break;
    default: store(p, value, 2, order, site);
    }
}

/* ---- Updates ------------------------------------------------------------------------------ */

/* The update itself, when its step is being executed. */
static uint64_t apply(Access *access, Word word, uint32_t op, uint64_t value, RaceOp log, uint32_t order)
{
    uint64_t old = word_load(word.address, word.size);
    uint64_t new = rmw_updated(op, old, value, word.size) & word_mask(word.size);
    globals_note_write(word.address, word.size);
    word_store(word.address, new, word.size);
    finish(access, word, log, order, old, new);
    return old;
}

static __attribute__((noinline)) uint64_t rmw_slow(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                                   Mode mode, const SennitSite *site)
{
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        return weak_update(&target, op, (WeakValue){value, 0}).value;
    }
    if (!is_simple(p, size))
        return atomic_wide_rmw(p, op, value, size, order, site);
    Word word = word_first(address_of(p), size);
    announce(rt.self, OP_ATOMIC_RMW, word, mode, site)->operand = (int64_t)(value & word_mask(size));
    Access *access = perform(rt.self, word, true);
    return apply(access, word, op, value, rmw_race_op(mode), order);
}

/* The old value that an update found which commutes with others depends on the schedule. The program does not use it,
 * but it may remain in a frame, and frames are compared (SPIN-19). */
static ALWAYS_INLINE uint64_t result_of(Mode mode, uint64_t old)
{
    return LIKELY(mode == MODE_WRITE) || !rt.self || tracking.on ? old : 0;
}

uint64_t sennit_rt_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                              uint32_t unused, const SennitSite *site)
{
    ARGUMENT_STAYS(site);
    uint64_t address = address_of(p);
    Thread *self = rt.self;
    Mode mode = rmw_mode(op, unused);
    if (UNLIKELY(!atomic_is_fast(self, address, size)))
        return result_of(mode, rmw_slow(p, op, value, size, order, mode, site));
    Access *access = fast_open(self, OP_ATOMIC_RMW, site);
    memory_check_in_step(address, size, true);
    uint64_t mask = word_mask(size);
    uint64_t old = word_load(address, size);
    uint64_t new = rmw_updated(op, old, value & mask, size) & mask;
    globals_note_write(address, size);
    word_store_sized(address, new, size);
    fast_fill(access, address, old, new, 0, value & mask,
              access_tail(ROLE_NONE, REL_TRUE, mode, MODE_NONE, MODE_NONE, word_within(address, size).lanes));
    fast_order(address, size, rmw_race_op(mode), order);
    return result_of(mode, old);
}

/* ---- Compare and swap ------------------------------------------------------------------------ */

static uint64_t cas_wide(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                         uint32_t success, uint32_t failure, const SennitSite *site)
{
    uint64_t found = expected;
    return sennit_rt_atomic_cas_n(size, p, &found, &desired, success, failure, site) ? expected : found;
}

/* `fails` as for weak_cas. */
static __attribute__((noinline)) uint64_t cas_slow(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                                                   uint32_t success, uint32_t failure, const SennitSite *site,
                                                   bool *fails)
{
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, success, site);
        return weak_cas(&target, failure, (WeakValue){expected, 0}, (WeakValue){desired, 0}, fails).value;
    }
    if (!is_simple(p, size))
        return cas_wide(p, expected, desired, size, success, failure, site);
    Word word = word_first(address_of(p), size);
    Access *access = announce(rt.self, OP_ATOMIC_CAS, word, MODE_WRITE, site);
    step_switch(access, REL_EQ, (int64_t)expected, MODE_WRITE, MODE_READ);
    if (fails)
        rt.announced.flags |= EVENT_OPAQUE;
    access = perform(rt.self, word, true);
    uint64_t old = word_load(word.address, size);
    if (fails)
        *fails = old == expected && step_choose(2) == 1;
    if (old == expected && !(fails && *fails)) {
        globals_note_write(word.address, size);
        word_store(word.address, desired, size);
        finish(access, word, LOG_RMW, success, old, desired);
    } else {
        if (old != expected) /* else it counts as a write: its other outcome is one */
            access->mode = MODE_READ;
        finish(access, word, LOG_LOAD, failure, old, old);
    }
    return old;
}

uint8_t sennit_rt_failed;

/* A weak exchange that may fail for no reason (--weak-cas=on), but only so often, and not in atomic sections. */
static __attribute__((noinline)) uint64_t cas_weak(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                                                   uint32_t success, uint32_t failure, const SennitSite *site)
{
    enum { MOST = 2 };
    bool fails = false, able = rt.self && !rt.self->section_depth && is_simple(p, size);
    sennit_rt_site = site;
    if (able && tracking.on)
        report_refused("a weak compare-and-exchange in a program with inputs needs --weak-cas=off");
    bool open = able && lifetime_self()->failed < MOST;
    uint64_t found = cas_slow(p, expected, desired, size, success, failure, site, open ? &fails : NULL);
    if (fails)
        lifetime_self()->failed++;
    else if (able && !open && found == expected)
        execution_cut(rt.ex, CUT_WEAK_CAS);
    sennit_rt_failed = fails;
    return found;
}

uint64_t sennit_rt_atomic_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                              uint32_t success, uint32_t failure, uint32_t weak, const SennitSite *site)
{
    ARGUMENT_STAYS(weak);
    ARGUMENT_STAYS(site);
    uint64_t address = address_of(p), mask = word_mask(size);
    Thread *self = rt.self;
    expected &= mask;
    desired &= mask;
    if (UNLIKELY(weak && rt.options.weak_cas))
        return cas_weak(p, expected, desired, size, success, failure, site);
    if (UNLIKELY(!atomic_is_fast(self, address, size)))
        return cas_slow(p, expected, desired, size, success, failure, site, NULL);
    Access *access = fast_open(self, OP_ATOMIC_CAS, site);
    memory_check_in_step(address, size, true);
    uint64_t old = word_load(address, size);
    bool equal = old == expected;
    if (equal) {
        globals_note_write(address, size);
        word_store_sized(address, desired, size);
    }
    fast_fill(access, address, old, equal ? desired : old, UINT64_MAX, expected,
              access_tail(ROLE_SWITCH, REL_EQ, equal ? MODE_WRITE : MODE_READ, MODE_WRITE, MODE_READ,
                          word_within(address, size).lanes));
    fast_order(address, size, equal ? LOG_RMW : LOG_LOAD, equal ? success : failure);
    return old;
}

/* ---- Waiting ------------------------------------------------------------------------------------ */

/* An operation on one word that is enabled while the condition holds. */
static Access *await(OpKind op, Word word, Mode mode, uint32_t relation, uint64_t mask, uint64_t operand,
                     const SennitSite *site)
{
    sennit_rt_site = site;
    Access *access = step_begin(op, word_resource(word.address));
    step_guard(access, NULL, (Relation)relation, (int64_t)(operand & word_mask(word.size)));
    access->lanes = word.lanes;
    access->mask = mask & word_mask(word.size);
    access->mode = (uint8_t)mode;
    step_wait();
    memory_check_in_step(word.address, word.size, mode != MODE_READ);
    return &rt.ex->accesses[step_event()->first_access + section_offset(rt.self)];
}

uint64_t sennit_rt_atomic_await(const void *p, uint32_t size, uint32_t order, uint32_t relation,
                                uint64_t mask, uint64_t operand, const SennitSite *site)
{
    ARGUMENT_STAYS(site);
    atomic_refuse_wide(p, size);
    Word word = word_first(address_of(p), size);
    if (!rt.self)
        return word_load(word.address, size);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        return weak_await(&target, &(WeakWait){(Relation)relation, mask, operand, false}).value;
    }
    Access *access = await(OP_AWAIT, word, MODE_READ, relation, mask, operand, site);
    uint64_t value = word_load(word.address, size);
    finish(access, word, LOG_LOAD, order, value, value);
    return value;
}

uint64_t sennit_rt_atomic_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand,
                                    const SennitSite *site)
{
    ARGUMENT_STAYS(mask);
    ARGUMENT_STAYS(operand);
    ARGUMENT_STAYS(site);
    atomic_refuse_wide(p, size);
    Word word = word_first(address_of(p), size);
    if (!rt.self)
        return atomic_wide_rmw(p, op, value, size, order, site);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakWait wait = {(Relation)relation, mask, operand, false};
        return weak_await_update(&target, &wait, op, (WeakValue){value, 0}).value;
    }
    Access *access = await(OP_AWAIT, word, MODE_WRITE, relation, mask, operand, site);
    return apply(access, word, op, value, LOG_RMW, order);
}

void sennit_rt_atomic_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                                uint32_t order, const SennitSite *site)
{
    sennit_rt_atomic_await_rmw(p, SENNIT_RMW_XCHG, desired, size, order, REL_EQ, UINT64_MAX, expected, site);
}

/* ---- Assumptions ---------------------------------------------------------------------------------- */

/* Can the running thread wait for what it assumes? */
static bool can_wait(const void *p, uint32_t size, uint32_t relation)
{
    return is_simple(p, size) && !rt.self->section_depth && !tracking.on && relation != REL_TRUE;
}

uint64_t sennit_rt_atomic_assume(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                 uint64_t operand, const SennitSite *site)
{
    ARGUMENT_STAYS(site);
    if (!can_wait(p, size, relation))
        return sennit_rt_atomic_load(p, size, order, site);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        return weak_await(&target, &(WeakWait){(Relation)relation, mask, operand, true}).value;
    }
    Word word = word_first(address_of(p), size);
    Access *access = await(OP_ASSUME, word, MODE_READ, relation, mask, operand, site);
    uint64_t value = word_load(word.address, size);
    finish(access, word, LOG_LOAD, order, value, value);
    return value;
}

uint64_t sennit_rt_atomic_assume_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site)
{
    ARGUMENT_STAYS(mask);
    ARGUMENT_STAYS(operand);
    ARGUMENT_STAYS(site);
    if (!can_wait(p, size, relation))
        return sennit_rt_atomic_rmw(p, op, value, size, order, 0, site);
    if (weak_applies(rt.self)) {
        WeakTarget target = weak_target(p, size, order, site);
        WeakWait wait = {(Relation)relation, mask, operand, true};
        return weak_await_update(&target, &wait, op, (WeakValue){value, 0}).value;
    }
    Word word = word_first(address_of(p), size);
    Access *access = await(OP_ASSUME, word, MODE_WRITE, relation, mask, operand, site);
    return apply(access, word, op, value, LOG_RMW, order);
}

uint64_t sennit_rt_atomic_assume_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                     uint32_t failure, const SennitSite *site)
{
    ARGUMENT_STAYS(site);
    if (!can_wait(p, size, REL_EQ))
        return sennit_rt_atomic_cas(p, expected, desired, size, success, failure, 0, site);
    return sennit_rt_atomic_assume_rmw(p, SENNIT_RMW_XCHG, desired, size, success, REL_EQ, UINT64_MAX, expected, site);
}

void atomic_assume_in_vain(Thread *self)
{
    const Access *access = &self->pending.accesses[0];
    Word word = word_of_lanes(access->resource, access->lanes);
    bool updates = access->mode == MODE_WRITE, stores = updates && access->relation != REL_EQ; /* EQ: an exchange */
    memory_check_in_step(word.address, word.size, updates);
    race_atomic(word, stores);
    rt.ex->assumed_away++;
    thread_halt();
}

/* ---- Fences --------------------------------------------------------------------------------------- */

/* Under sequential consistency a fence only matters to the race detector; as a step with an empty
 * footprint it separates the accesses before it from those behind it. */
void sennit_rt_atomic_fence(uint32_t order, const SennitSite *site)
{
    sennit_rt_site = site;
    order_check(ORDER_OF_FENCE, order);
    if (!rt.self)
        return;
    if (weak_applies(rt.self)) {
        weak_fence(order);
        return;
    }
    step_begin(OP_FENCE, 0);
    step_wait();
    race_log_add(LOG_FENCE, 0, order);
    step_done();
}
