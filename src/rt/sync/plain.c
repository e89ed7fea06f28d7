/* plain.c - see plain.h
 *
 * Usually a plain access is only checked for dead memory and for races. With plain_visible
 * it is a visible operation like an atomic one instead. Before the program creates a thread
 * there is no difference to observe, so its start leaves no events.
 */
#include "rt/sync/plain.h"

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/stamp.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/word.h"
#include "rt/spin/changes.h"
#include "rt/spin/repeat.h"
#include "rt/detect/property.h"
#include "rt/sync/section.h"
#include "rt/spin/spin.h"
#include "rt/weak/message.h"
#include "rt/weak/weak_step.h"
#include "rt/weak/weak_volatile.h"

/* ---- Visible plain accesses ------------------------------------------------- */

static void announce_words(OpKind op, uint64_t address, uint64_t size, Mode mode)
{
    step_begin(op, 0);
    while (size && rt.announced.count < MAX_ANNOUNCED) {
        Word word = word_first(address, size);
        Access *access = step_touch(word_resource(word.address), mode);
        access->lanes = word.lanes;
        if (UNLIKELY(tracking.on) && mode == MODE_WRITE)
            step_touch(stamp_resource(word.address), mode)->lanes = word.lanes;
        address += word.size;
        size -= word.size;
    }
}

static void read_event_values(uint32_t event, bool after)
{
    const Event *e = &rt.ex->events[event];
    for (unsigned i = 0; i < e->access_count; i++) {
        Access *access = &rt.ex->accesses[e->first_access + i];
        int64_t value = scheduler_guard_value(access, NULL);
        access->after = value;
        if (!after)
            access->before = value;
    }
}

void plain_settle(Thread *self)
{
    if (weak_applies(self)) {
        weak_volatile_settle();
        return;
    }
    self->special &= (uint16_t)~SPECIAL_STORE;
    read_event_values(self->store_event, true);
    if (UNLIKELY(self->special & SPECIAL_WATCHED))
        property_look();
}

/* A relaxed atomic access: no race with other atomic ones, and it synchronises with nothing by itself. */
static void order_volatile(uint64_t address, uint64_t size, bool writes)
{
    while (size) {
        Word word = word_first(address, size);
        race_log_add(writes ? LOG_STORE : LOG_LOAD, word.address, 0);
        race_atomic(word, writes);
        address += word.size;
        size -= word.size;
    }
}

/* Under weak memory a step that is not weak must not access what weak ones do. */
static void refuse_mixed(const Thread *self, uint64_t address, uint64_t size)
{
    while (weak_applies(self) && size) {
        Word word = word_first(address, size);
        message_refuse_strong(word);
        address += word.size;
        size -= word.size;
    }
}

/* Large ranges become several steps: such copies are not atomic in C either. */
static void visible_access(Thread *self, uint64_t address, uint64_t size, bool writes)
{
    bool as_atomic = !(self->plain_slow & SLOW_VISIBLE);
    OpKind op = as_atomic ? writes ? OP_ATOMIC_STORE : OP_ATOMIC_LOAD : writes ? OP_WRITE : OP_READ;
    while (size) {
        uint64_t part = size < PLAIN_CHUNK ? size : PLAIN_CHUNK;
        announce_words(op, address, part, writes ? MODE_WRITE : MODE_READ);
        step_wait();
        memory_check_in_step(address, part, writes);
        if (as_atomic)
            order_volatile(address, part, writes);
        read_event_values(rt.ex->event_count - 1, false);
        if (writes) {
            self->store_event = rt.ex->event_count - 1;
            self->special |= SPECIAL_STORE;
        } else {
            step_done();
        }
        address += part;
        size -= part;
    }
}

/* The value stored, or the one replaced, may be symbolic. */
static void prepare_stamps(uint64_t address, uint64_t size)
{
    while (size) {
        Word word = word_first(address, size);
        stamp_before_store(word);
        address += word.size;
        size -= word.size;
    }
}

/* ---- Accesses that need more than a check ------------------------------------ */

/* It synchronises with other sections that access the same memory, unless it is that of an observer. */
static void section_order(Word word, bool writes)
{
    if (rt.self->observes)
        return;
    uint64_t byte = resource_make(RES_MEMORY, word.address);
    if (weak_applies(rt.self)) {
        race_acquire(byte);
        if (writes)
            race_release(byte);
    } else {
        race_log_add(writes ? LOG_RMW : LOG_LOAD, word.address, writes ? 4 : 2);
    }
}

static void section_access(uint64_t address, uint64_t size, bool writes)
{
    refuse_mixed(rt.self, address, size);
    section_touch(address, size, writes ? MODE_WRITE : MODE_READ);
    while (size) {
        Word word = word_first(address, size);
        section_order(word, writes);
        race_atomic(word, writes);
        if (writes && UNLIKELY(tracking.on))
            stamp_in_section(word);
        address += word.size;
        size -= word.size;
    }
}

/* An access outside the program's own memory is performed here: behind the hook an optimiser may have
 * removed it as unused, and a crash with it. */
static void touch(uint64_t address, bool writes)
{
    if (UNLIKELY(identity_is_place(address)))
        identity_access(address, writes);
    (void)*(const volatile char *)(uintptr_t)address;
}

void sennit_rt_constant_write(void *p, const SennitSite *site)
{
    volatile char *byte = p;
    sennit_rt_site = site;
    *byte = *byte;
}

void sennit_rt_divide(uint32_t zero, uint32_t overflows, const SennitSite *site)
{
    if (!(zero | overflows) || !rt.self)
        return;
    sennit_rt_site = site;
    if (zero)
        report_bug(BUG_DIVISION, "division by zero");
    report_bug(BUG_OVERFLOW, SENNIT_QUOTIENT_OVERFLOWS);
}

static bool is_volatile_atomic(const Thread *self)
{
    return self->plain_slow & SLOW_VOLATILE && sennit_rt_site && sennit_rt_site->is_volatile;
}

static bool is_step(const Thread *self)
{
    return (self->plain_slow & SLOW_VISIBLE || is_volatile_atomic(self)) &&
           rt.ex->agent_count > 1;
}

static bool is_weak_step(const Thread *self)
{
    return weak_applies(self) && is_step(self) && !(self->plain_slow & SLOW_SECTION);
}

/* Not part of a step. */
static void unseen_access(Thread *self, uint64_t address, uint64_t size, bool writes)
{
    if (self->plain_slow & SLOW_CHANGES && writes)
        changes_write(self, address, size);
    else if (self->plain_slow & SLOW_CHANGES)
        changes_read(self);
    race_access(address, size, writes ? RACE_WRITE : RACE_READ);
}

static __attribute__((noinline)) void access_slow(Thread *self, uint64_t address, uint64_t size, bool writes)
{
    memory_check(address, size, writes);
    if (UNLIKELY(!race_cell(address)))
        touch(address, writes);
    if (is_weak_step(self)) {
        weak_volatile_access(self, address, size, writes);
        return;
    }
    if (self->plain_slow & SLOW_SPIN) {
        if (writes)
            spin_write(self);
        else
            spin_read(self, address, size);
    }
    if (self->plain_slow & SLOW_REPEAT)
        (writes ? repeat_write : repeat_read)(self, address, size);
    if (self->plain_slow & SLOW_SECTION)
        section_access(address, size, writes);
    else if (is_step(self))
        visible_access(self, address, size, writes);
    else
        unseen_access(self, address, size, writes);
    if (writes && UNLIKELY(tracking.on) && self->plain_slow & (SLOW_SECTION | SLOW_VISIBLE | SLOW_VOLATILE))
        prepare_stamps(address, size);
    frame_wipe();
}

/* ---- The common case ----------------------------------------------------------- */

static ALWAYS_INLINE bool is_empty(uint32_t tail) { return !race_tail_lanes(tail); }

static ALWAYS_INLINE bool replace(RaceRecord *record, uint32_t tail)
{
    race_set_tail(record, tail);
    record->clock = race_now();
    record->site = (uint32_t)(site_name(sennit_rt_site) - race_site_base());
    return true;
}

/* Record 0 is a write, record 1 a read. A thread that has read these lanes finds its record
 * only if there was no write to them since, so there is nothing to check; and what only the
 * thread itself has accessed needs no check either. False: race_access_slow has to check. */
static ALWAYS_INLINE bool access_own(RaceCell *cell, uint64_t address, uint8_t lanes, RaceKind kind)
{
    uint32_t my_read = race_tail(rt.self->strand, lanes, RACE_READ);
    uint32_t my_write = race_tail(rt.self->strand, lanes, RACE_WRITE);
    if (cell->execution != rt.execution) {
        if (race_needs_allocation(address, kind))
            return false;
        race_touch(cell);
        cell->more = 0;
        race_set_tail(&cell->record[0], 0);
        race_set_tail(&cell->record[1], 0);
    }
    uint32_t write = race_tail_of(&cell->record[0]), read = race_tail_of(&cell->record[1]);
    if (race_atomic_lanes(cell) & lanes)
        return false;
    if (kind == RACE_READ && read == my_read)
        return replace(&cell->record[1], my_read);
    if (cell->more & RACE_INDEX)
        return false;
    if (kind == RACE_READ)
        return is_empty(read) && (is_empty(write) || write == my_write) && replace(&cell->record[1], my_read);
    if (!((is_empty(write) || write == my_write) && (is_empty(read) || read == my_read)))
        return false;
    race_set_tail(&cell->record[1], 0);
    return replace(&cell->record[0], my_write);
}

/* At sennit_rt_site. */
static ALWAYS_INLINE void access_here(Thread *self, uint64_t address, unsigned size, RaceKind kind)
{
    if (kind == RACE_WRITE)
        globals_note_write(address, size);
    if (UNLIKELY(self->plain_slow || rt.options.verbose || (address & 7) + size > 8)) {
        access_slow(self, address, size, kind == RACE_WRITE);
        return;
    }
    memory_check(address, size, kind == RACE_WRITE);
    RaceCell *cell = race_cell(address);
    Word word = word_within(address, size);
    if (UNLIKELY(!cell))
        touch(address, kind == RACE_WRITE);
    else if (!access_own(cell, address, word.lanes, kind))
        race_access_slow(cell, word, kind);
}

static ALWAYS_INLINE void access_small(const void *p, unsigned size, RaceKind kind, const SennitSite *site)
{
    sennit_rt_site = site;
    if (LIKELY(rt.self))
        access_here(rt.self, address_of(p), size, kind);
}

void plain_read(uint64_t address, uint64_t size)
{
    if (rt.self && size == 8)
        access_here(rt.self, address, 8, RACE_READ);
    else if (rt.self && size)
        access_slow(rt.self, address, size, false);
}

void plain_write(uint64_t address, uint64_t size)
{
    if (!rt.self || !size)
        return;
    if (size == 8) {
        access_here(rt.self, address, 8, RACE_WRITE);
        return;
    }
    globals_note_write(address, size);
    access_slow(rt.self, address, size, true);
}

/* ---- Hooks ------------------------------------------------------------------------ */

void sennit_rt_read1(const void *p, const SennitSite *site) { access_small(p, 1, RACE_READ, site); }
void sennit_rt_read2(const void *p, const SennitSite *site) { access_small(p, 2, RACE_READ, site); }
void sennit_rt_read4(const void *p, const SennitSite *site) { access_small(p, 4, RACE_READ, site); }
void sennit_rt_read8(const void *p, const SennitSite *site) { access_small(p, 8, RACE_READ, site); }
void sennit_rt_write1(void *p, const SennitSite *site) { access_small(p, 1, RACE_WRITE, site); }
void sennit_rt_write2(void *p, const SennitSite *site) { access_small(p, 2, RACE_WRITE, site); }
void sennit_rt_write4(void *p, const SennitSite *site) { access_small(p, 4, RACE_WRITE, site); }
void sennit_rt_write8(void *p, const SennitSite *site) { access_small(p, 8, RACE_WRITE, site); }

void sennit_rt_read_n(const void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    plain_read(address_of(p), size);
}

void sennit_rt_write_n(void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    plain_write(address_of(p), size);
}

/* ---- For primitives ------------------------------------------------------------------- */

void plain_use(const void *object, size_t size)
{
    if (!rt.self)
        return;
    memory_check(address_of(object), size, false);
    if (!rt.plain_visible)
        race_access(address_of(object), size, RACE_READ);
}

void plain_overwrite(void *object, size_t size)
{
    if (!rt.self)
        return;
    memory_check(address_of(object), size, true);
    globals_note_write(address_of(object), size);
    if (!rt.plain_visible)
        race_access(address_of(object), size, RACE_WRITE);
}
