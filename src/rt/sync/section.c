/* section.c - see section.h */
#include "rt/sync/section.h"

#include "rt/detect/bug.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/stamp.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/memory/word.h"
#include "rt/detect/property.h"

/* ---- Merging accesses ------------------------------------------------------ */

static void merge_into(Access *first, const Access *later)
{
    if (first->mode != later->mode)
        first->mode = MODE_WRITE;
    else if (first->mode == MODE_ACCUMULATE_OR)
        first->operand |= later->operand;
    else if (first->mode == MODE_ACCUMULATE_AND)
        first->operand &= later->operand;
    else if (first->mode == MODE_ACCUMULATE_XOR)
        first->operand ^= later->operand;
    first->after = later->after;
}

static Access *find_access(const Event *event, const Access *wanted)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->resource == wanted->resource && access->lanes == wanted->lanes && access->order == wanted->order)
            return access;
    }
    return NULL;
}

/* The accesses of operations were appended in their order; a resource shall appear once. */
void section_close(Thread *self)
{
    Event *event = step_event();
    if (!self->section_depth || event->agent != self->id)
        return;
    uint32_t total = event->access_count;
    event->access_count = 0;
    for (uint32_t i = 0; i < total; i++) {
        Access access = rt.ex->accesses[event->first_access + i];
        access.role = ROLE_NONE;
        Access *same = find_access(event, &access);
        if (same)
            merge_into(same, &access);
        else
            rt.ex->accesses[event->first_access + event->access_count++] = access;
    }
    rt.ex->access_count = event->first_access + event->access_count;
}

/* ---- Undoing ----------------------------------------------------------------------- */

/* What a section overwrote; the log has the oldest first. */
typedef struct SavedWord {
    uint64_t address, value;
    unsigned size;
    uint32_t shadow;
} SavedWord;

static VEC(SavedWord) undo_log;

static void note_value(Word word)
{
    uint64_t value = word_load(word.address, word.size);
    uint32_t shadow = tracking.on ? shadow_memory_get(word.address, &value, 8 * word.size) : 0;
    VEC_PUSH(&undo_log, ((SavedWord){word.address, value, word.size, shadow}));
}

static void restore_memory(void)
{
    while (undo_log.count) {
        const SavedWord *undo = &undo_log.items[--undo_log.count];
        word_store(undo->address, undo->value, undo->size);
        if (!tracking.on)
            continue;
        if (undo->shadow)
            shadow_memory_put(undo->address, undo->shadow, 8 * undo->size);
        else
            shadow_memory_clear(undo->address, undo->size);
    }
}

/* The section has only read. */
static void make_reads(const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (stamp_is_resource(access->resource)) /* at worst a waiting thread checks once more */
            continue;
        if (access->mode == MODE_NONE)
            continue;
        access->mode = MODE_READ;
        if (access->resource >> 56 == RES_MEMORY)
            access->before = scheduler_guard_value(access, NULL);
        access->after = access->before;
    }
}

void section_keep(const char *what)
{
    if (rt.self && rt.self->section_depth)
        rt.self->section_kept = what;
}

static void leave(Thread *self)
{
    self->section_depth = 0;
    self->observes = self->looks = false;
    self->special &= (uint16_t)~SPECIAL_SECTION;
    self->plain_slow &= (uint8_t)~SLOW_SECTION;
}

void section_abandon(Thread *self)
{
    Event *event = step_event();
    if (self->looks) { /* the step has been taken */
        leave(self);
        return;
    }
    if (self->section_kept) {
        char what[96];
        snprintf(what, sizeof what, "%s in an atomic section that is not completed", self->section_kept);
        report_not_modelled(what);
    }
    restore_memory();
    if (event->agent == self->id) {
        make_reads(event);
        section_close(self);
    }
    leave(self);
}

/* ---- Operations inside a section --------------------------------------------- */

/* A section has read what it would have to wait for. */
static void read_announced(Event *event)
{
    for (unsigned i = 0; i < rt.announced.count; i++) {
        Access *access = &rt.ex->accesses[rt.ex->access_count + i];
        access->mode = MODE_READ;
        access->before = access->after = scheduler_guard_value(access, rt.announced.live[i]);
    }
    event->access_count = (uint16_t)(event->access_count + rt.announced.count);
    rt.ex->access_count += rt.announced.count;
}

/* Writes of memory can be undone, operations on primitives cannot. */
static void note_announced(void)
{
    for (unsigned i = 0; i < rt.announced.count; i++) {
        const Access *access = &rt.ex->accesses[rt.ex->access_count + i];
        if (access->mode == MODE_READ || access->mode == MODE_NONE)
            continue;
        if (access->resource >> 56 == RES_MEMORY)
            note_value(word_of_lanes(access->resource, access->lanes));
        else if (!stamp_is_resource(access->resource))
            section_keep("a lock or another object");
    }
}

bool section_step(Thread *self, bool enabled)
{
    Event *event = step_event();
    if (event->agent != self->id)
        return false;
    if (!enabled) {
        read_announced(event);
        self->state = THREAD_RUNNING;
        thread_stop_assumed();
    }
    note_announced();
    self->section_base = event->access_count;
    event->access_count = (uint16_t)(event->access_count + rt.announced.count);
    rt.ex->access_count += rt.announced.count;
    event->flags |= EVENT_OPAQUE;
    self->state = THREAD_RUNNING;
    return true;
}

static void touch_word(Event *event, Word word, Mode mode)
{
    int64_t value = (int64_t)word_load(word.address, word.size);
    Access access = {.resource = word_resource(word.address), .lanes = word.lanes,
                     .mode = (uint8_t)mode, .before = value, .after = value};
    Access *same = find_access(event, &access);
    if (mode != MODE_READ)
        note_value(word);
    if (same) {
        merge_into(same, &access);
        return;
    }
    if (event->access_count == UINT16_MAX)
        report_not_modelled("an atomic section that touches more than 65535 words");
    if (UNLIKELY(rt.ex->access_count + 2 * MAX_ANNOUNCED + RT_MAX_AGENTS >= EXECUTION_MAX_ACCESSES)) {
        execution_cut(rt.ex, CUT_LOG);
        scheduler_finish(END_CUT);
    }
    *execution_add_access(rt.ex) = access;
}

void section_touch(uint64_t address, uint64_t size, Mode mode)
{
    while (size) {
        Word word = word_first(address, size);
        if (UNLIKELY(rt.self->looks))
            property_note_read(word);
        if (rt.ex->event_count)
            touch_word(step_event(), word, mode);
        address += word.size;
        size -= word.size;
    }
}

/* ---- Begin and end ----------------------------------------------------------------- */

void section_begin(unsigned op)
{
    Thread *self = rt.self;
    if (!self || self->section_depth++)
        return;
    self->section_depth = 0;
    step_begin(op, 0);
    step_opaque();
    step_wait();
    if (tracking.on) /* after other steps it may find symbolic values, and decide a condition */
        rerun_mark(true);
    self->section_depth = 1;
    self->section_base = 0;
    self->section_kept = NULL;
    undo_log.count = 0;
    self->special |= SPECIAL_SECTION;
    self->plain_slow |= SLOW_SECTION;
}

void sennit_rt_atomic_section_begin(const SennitSite *site)
{
    sennit_rt_site = site;
    section_begin(OP_SECTION_BEGIN);
}

/* Plain stores inside the section were recorded before they happened. */
static void read_final_values(const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->mode != MODE_READ && access->resource >> 56 == RES_MEMORY)
            access->after = scheduler_guard_value(access, NULL);
    }
}

void section_extend(Thread *self)
{
    self->section_depth = 1;
    self->observes = self->looks = true;
    self->plain_slow |= SLOW_SECTION;
    undo_log.count = 0;
    if (tracking.on && rt.ex->event_count)
        rerun_mark(true);
}

void section_extended(Thread *self)
{
    if (rt.ex->event_count)
        read_final_values(step_event());
    leave(self);
}

void sennit_rt_atomic_section_end(const SennitSite *site)
{
    Thread *self = rt.self;
    sennit_rt_site = site;
    if (!self || !self->section_depth || --self->section_depth)
        return;
    self->section_depth = 1;
    section_close(self);
    read_final_values(step_event());
    leave(self);
    step_done();
}
