/* weak_step.c - see weak_step.h */
#include "rt/weak/weak_step.h"

#include "rt/abi/hooks.h"
#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/atomic_symbolic.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/atomic.h"
#include "rt/weak/message.h"
#include "rt/weak/order.h"
#include "rt/weak/override.h"
#include "rt/weak/wide.h"

/* Who read from whom, in the order of steps. */
typedef struct WeakSource {
    uint32_t event, written;
} WeakSource;

static VEC(WeakSource) sources;

/* What an update does with the value that it reads. */
typedef struct WeakOperation {
    uint32_t event, op;
    uint64_t operand;
} WeakOperation;

/* In the order of steps; none with symbolic values. */
static VEC(WeakOperation) operations;

void weak_reset(void) { sources.count = operations.count = 0; }

void weak_save(RtImage *image)
{
    image_add(image, &sources.count, sizeof sources.count);
    image_add(image, &operations.count, sizeof operations.count);
}

uint32_t weak_source(uint32_t event)
{
    uint32_t low = 0, high = sources.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sources.items[middle].event < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sources.count && sources.items[low].event == event ? sources.items[low].written : UINT32_MAX;
}

static void note_operation(uint32_t op, uint64_t operand, unsigned size)
{
    if (LIKELY(!tracking.on && size <= 8))
        VEC_PUSH(&operations, ((WeakOperation){rt.ex->event_count - 1, op, operand}));
}

bool weak_written(const Execution *ex, uint32_t event, int64_t read, int64_t *value)
{
    uint32_t i = ex == rt.ex ? operations.count : 0;
    while (i > 0 && operations.items[i - 1].event > event)
        i--;
    const WeakOperation *operation = i > 0 ? &operations.items[i - 1] : NULL;
    if (!operation || operation->event != event)
        return false;
    unsigned size = (unsigned)__builtin_popcount(ex->accesses[ex->events[event].first_access].lanes);
    *value = (int64_t)(rmw_updated(operation->op, (uint64_t)read, operation->operand, size) & word_mask(size));
    return true;
}

WeakTarget weak_target(const void *p, uint64_t size, uint32_t order, const SennitSite *site)
{
    uint64_t address = address_of(p);
    sennit_rt_site = site;
    bool wide = size == WIDE_SIZE && address % WIDE_SIZE == 0;
    if (!size || ((address & 7) + size > 8 && !wide))
        report_refused("an atomic object that is wider than 16 bytes or not aligned needs --memory=sc");
    Word word = wide ? (Word){address, WIDE_SIZE, LANES_ALL} : word_within(address, (unsigned)size);
    if (UNLIKELY(override_count)) {
        if (override_fence(site_name(site)) != C_RELAXED)
            weak_fence(override_fence(site_name(site)));
        order = override_order(site_name(site), order, false);
    }
    return (WeakTarget){word, order, site};
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* A weak step being executed: its location, and the message it reads or is placed behind. */
typedef struct WeakStep {
    WeakLocation *location;
    WeakMessage *found;
    Word word;
} WeakStep;

static Access *step_access(void) { return &rt.ex->accesses[step_event()->first_access]; }

/* Whether the access is within a block of symbolic size is decided before the step: its first choice is another.
 * The access is built where its event will have it; its name is set when the step begins, or the thread parks. */
static ALWAYS_INLINE Access *announce(OpKind op, const WeakTarget *target, Mode mode)
{
    Word word = target->word;
    Thread *self = rt.self;
    sennit_rt_site = target->site;
    if (UNLIKELY(self->section_depth))
        report_refused("an atomic operation in an atomic section needs --memory=sc");
    if (UNLIKELY(tracking.on))
        memory_check(word.address, word.size, mode != MODE_READ);
    if (UNLIKELY(self->special != SPECIAL_WEAK))
        step_settle(self);
    Access *access = &rt.accesses[rt.ex->access_count];
    access->before = access->after = access->operand = 0;
    access->mask = 0;
    access_set_tail(access, access_tail(ROLE_NONE, REL_TRUE, mode, MODE_NONE, MODE_NONE, word.lanes) |
                                (uint64_t)order_of(target->order) << ACCESS_ORDER_SHIFT);
    rt.announced.op = (uint16_t)op;
    rt.announced.flags = 0;
    rt.announced.count = 1;
    rt.announced.guards = 0;
    rt.announced.live[0] = NULL;
    rt.announced.site = site_name(target->site);
    return access;
}

/* A thread that stops here, because of a bug, has accessed nothing. */
static __attribute__((noinline)) void check_memory(Word word, Mode mode)
{
    Access *access = step_access();
    uint8_t order = access->order;
    access->mode = MODE_NONE;
    access->order = ORDER_STRONG;
    memory_check_in_step(word.address, word.size, mode != MODE_READ);
    (void)*(const volatile char *)(uintptr_t)word.address; /* it may crash */
    access = step_access();
    access->mode = (uint8_t)mode;
    access->order = order;
}

/* The scheduling point for what was announced. */
static ALWAYS_INLINE void wait(Word word)
{
    Thread *self = rt.self;
    if (LIKELY(self->special == SPECIAL_WEAK && !rt.announced.guards && step_continues(self))) {
        step_open(self, rt.announced.op, rt.announced.site, 1, 0);
        return;
    }
    rt.accesses[rt.ex->access_count].resource = message_name(word);
    step_wait();
}

static ALWAYS_INLINE WeakStep perform(Word word, Mode mode)
{
    wait(word);
    if (UNLIKELY(!memory_is_open(word.address, word.size) || !race_cell(word.address)))
        check_memory(word, mode);
    WeakStep step = {.location = message_location(word), .word = word};
    step_access()->resource = step.location->resource;
    step.found = message_before_last(step.location, step_choose(step.location->count));
    return step;
}

static WeakValue value_of(const WeakMessage *message) { return (WeakValue){message_value(message), message->shadow}; }

/* The last write in coherence order is what memory holds. */
static void write_memory(Word word, WeakValue value)
{
    globals_note_write(word.address, word.size);
    wide_store((void *)(uintptr_t)word.address, value.value, word.size);
    if (UNLIKELY(tracking.on) && word.size > 8)
        shadow_memory_overwritten((void *)(uintptr_t)word.address, word.size);
    else if (UNLIKELY(tracking.on))
        shadow_memory_put(word.address, value.shadow, 8 * word.size);
}

static WeakMessage *write_message(const WeakStep *step, WeakValue value, bool updates)
{
    WeakMessage *message = message_add(step->location, step->found, value.value, value.shadow);
    message->read = updates ? step->found : NULL;
    if (step->location->last == message)
        write_memory(step->word, value);
    else if (UNLIKELY(tracking.on) && value.shadow)
        stamp_shadow_changed(step->word.address, step->word.size, true);
    return message;
}

static void note_source(const WeakMessage *read)
{
    if (read->event != MESSAGE_INITIAL)
        VEC_PUSH(&sources, ((WeakSource){rt.ex->event_count - 1, read->event}));
}

/* For reports: what the step missed. */
static void tell_newer(const WeakStep *step, const WeakMessage *written)
{
    const WeakMessage *last = step->location->last;
    if (last == step->found || last == written)
        return;
    Access *access = step_touch(resource_make(RES_NEWER, 0), MODE_NONE);
    access->before = last->strand;
    access->after = (int64_t)message_value(last);
    access->lanes = step->word.lanes;
}

/* The operation was performed; `written` is NULL if it has only read. */
static void finish(const WeakStep *step, const WeakMessage *written, uint64_t after, uint32_t order)
{
    Access *access = step_access();
    access->before = (int64_t)message_value(step->found);
    access->after = (int64_t)after;
    access->mode = written ? MODE_WRITE : MODE_READ;
    if (UNLIKELY(step->word.size > 8))
        step_touch(resource_make(RES_NEWER, 1), MODE_NONE);
    tell_newer(step, written);
    if (!written || written->read)
        note_source(step->found);
    race_log_add(written ? LOG_MESSAGE : LOG_MESSAGE_LOAD, address_of(written ? written : step->found), order);
    race_atomic(word_first(step->word.address, step->word.size), written != NULL);
    if (UNLIKELY(step->word.size > 8))
        race_atomic(word_within(step->word.address + 8, 8), written != NULL);
    step_done();
}

/* ---- Loads, stores, updates ----------------------------------------------------------------- */

WeakValue weak_load(const WeakTarget *target)
{
    announce(OP_ATOMIC_LOAD, target, MODE_READ);
    WeakStep step = perform(target->word, MODE_READ);
    WeakValue found = value_of(step.found);
    finish(&step, NULL, found.value, target->order);
    return found;
}

void weak_store(const WeakTarget *target, WeakValue value)
{
    value.value &= word_mask(target->word.size);
    announce(OP_ATOMIC_STORE, target, MODE_WRITE);
    WeakStep step = perform(target->word, MODE_WRITE);
    finish(&step, write_message(&step, value, false), value.value, target->order);
}

WeakMessage *weak_store_open(const WeakTarget *target)
{
    announce(OP_ATOMIC_STORE, target, MODE_WRITE);
    WeakStep step = perform(target->word, MODE_WRITE);
    WeakMessage *message = message_add(step.location, step.found, 0, 0);
    finish(&step, message, 0, target->order);
    return message;
}

/* The rest of an update, whose step is being executed. */
static WeakValue update(const WeakStep *step, uint32_t op, WeakValue operand, uint32_t order)
{
    unsigned size = step->word.size;
    WeakValue found = value_of(step->found), new = {0};
    note_operation(op, operand.value & word_mask(size), size);
    if (UNLIKELY(size > 8) && op != SENNIT_RMW_XCHG)
        report_refused("arithmetic on an atomic object of 16 bytes needs --memory=sc");
    new.value = rmw_updated(op, found.value, operand.value & word_mask(size), size) & word_mask(size);
    if (found.shadow | operand.shadow)
        new.shadow = atomic_update_shadow(op, found.shadow, found.value, operand.shadow, operand.value, size);
    finish(step, write_message(step, new, true), new.value, order);
    return found;
}

WeakValue weak_update(const WeakTarget *target, uint32_t op, WeakValue operand)
{
    Access *access = announce(OP_ATOMIC_RMW, target, MODE_WRITE);
    access->operand = (int64_t)(operand.value & word_mask(target->word.size));
    access->order |= ORDER_UPDATES;
    WeakStep step = perform(target->word, MODE_WRITE);
    return update(&step, op, operand, target->order);
}

/* Whether a symbolic value is the expected one is decided as part of the step. */
static bool decide_equal(unsigned size, WeakValue found, WeakValue expected)
{
    bool equal = found.value == expected.value;
    if (found.shadow | expected.shadow) {
        ExprId a = atomic_expr(found.shadow, size, found.value), b = atomic_expr(expected.shadow, size, expected.value);
        Access *access = step_access();
        access->order = (uint8_t)(access_order(access, equal) | ORDER_UPDATES);
        access->role = ROLE_NONE;
        branch_decide_in_step(expr_binary(tracking.pool, EXPR_EQ, a, b), equal);
    }
    return equal;
}

WeakValue weak_cas(const WeakTarget *target, uint32_t failure, WeakValue expected, WeakValue desired, bool *fails)
{
    uint64_t mask = word_mask(target->word.size);
    failure = override_order(site_name(target->site), failure, true);
    expected.value &= mask;
    desired.value &= mask;
    Access *access = announce(OP_ATOMIC_CAS, target, MODE_WRITE);
    step_switch(access, REL_EQ, (int64_t)expected.value, MODE_WRITE, MODE_READ);
    access->order |= (uint8_t)(ORDER_UPDATES | order_of(failure) << 4 | (fails ? ORDER_MAY_FAIL : 0));
    WeakStep step = perform(target->word, MODE_WRITE);
    WeakValue found = value_of(step.found);
    note_operation(SENNIT_RMW_XCHG, desired.value, target->word.size);
    bool equal = decide_equal(target->word.size, found, expected);
    if (fails)
        *fails = equal && step_choose(2) == 1;
    if (equal && !(fails && *fails))
        finish(&step, write_message(&step, desired, true), desired.value, target->order);
    else
        finish(&step, NULL, found.value, failure);
    return found;
}

/* ---- Waiting -------------------------------------------------------------------------------- */

bool weak_guard_holds(const Access *guard, uint32_t k)
{
    Word word = word_of_lanes(guard->resource, guard->lanes);
    const WeakLocation *location = message_find(word);
    if (k == 0)
        return scheduler_guard_holds(guard, NULL);
    return location && k < location->count &&
           access_condition_holds(guard, (int64_t)message_value(message_before_last(location, k)));
}

static bool has_symbolic_message(Word word)
{
    const WeakLocation *location = tracking.on ? message_find(word) : NULL;
    for (const WeakMessage *message = location ? location->last : NULL; message; message = message->older)
        if (message->shadow)
            return true;
    return false;
}

/* Whether a symbolic value ends the wait is a condition on the inputs. It is not explored: values that a thread waits
 * for are concretised. */
static const char awaited[] = "value that a thread may be waiting for";

static WeakStep await(const WeakTarget *target, const WeakWait *wait, Mode mode)
{
    Word word = target->word;
    if (UNLIKELY(has_symbolic_message(word)))
        concretise_note(awaited);
    Access *access = announce(wait->assumed ? OP_ASSUME : OP_AWAIT, target, mode);
    step_guard(access, NULL, wait->relation, (int64_t)(wait->operand & word_mask(word.size)));
    access->mask = wait->mask & word_mask(word.size);
    access->order |= mode == MODE_READ ? 0 : ORDER_UPDATES;
    WeakStep step = perform(word, mode);
    if (!access_condition_holds(step_access(), (int64_t)message_value(step.found))) {
        rt.ex->diverged_at = rt.ex->event_count - 1;
        scheduler_finish(END_DIVERGED);
    }
    return step;
}

static WeakValue awaited_value(WeakValue found)
{
    if (UNLIKELY(found.shadow))
        concretise_value(shadow_expr(found.shadow), found.value, awaited);
    return found;
}

WeakValue weak_await(const WeakTarget *target, const WeakWait *wait)
{
    WeakStep step = await(target, wait, MODE_READ);
    WeakValue found = value_of(step.found);
    finish(&step, NULL, found.value, target->order);
    return awaited_value(found);
}

WeakValue weak_await_update(const WeakTarget *target, const WeakWait *wait, uint32_t op, WeakValue operand)
{
    WeakStep step = await(target, wait, MODE_WRITE);
    return awaited_value(update(&step, op, operand, target->order));
}

/* ---- Fences --------------------------------------------------------------------------------- */

void weak_fence(uint32_t order)
{
    if (rt.self->section_depth)
        report_refused("a fence in an atomic section needs --memory=sc");
    order = override_order(site_name(sennit_rt_site), order, false);
    step_begin(OP_FENCE, 0);
    step_touch(0, MODE_NONE)->order = (uint8_t)order_of(order);
    step_wait();
    race_log_add(LOG_FENCE, 0, order);
    step_done();
}
