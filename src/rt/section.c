/* section.c - see section.h */
#include "rt/section.h"

#include "rt/rerun.h"
#include "rt/tracking.h"
#include "rt/word.h"

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

static Access *find_access(const Event *event, uint64_t resource, uint8_t lanes)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->resource == resource && access->lanes == lanes)
            return access;
    }
    return NULL;
}

/* Operations of models were appended as they came; a resource shall appear once. */
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
        Access *same = find_access(event, access.resource, access.lanes);
        if (same)
            merge_into(same, &access);
        else
            rt.ex->accesses[event->first_access + event->access_count++] = access;
    }
    rt.ex->access_count = event->first_access + event->access_count;
}

/* ---- Operations inside a section --------------------------------------------- */

bool section_step(Thread *self, bool enabled)
{
    Event *event = step_event();
    if (!enabled || event->agent != self->id)
        return false;
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
    Access *same = find_access(event, access.resource, access.lanes);
    if (same) {
        merge_into(same, &access);
        return;
    }
    if (event->access_count == UINT16_MAX)
        report_not_modelled("an atomic section that touches more than 65535 words");
    *execution_add_access(rt.ex) = access;
}

void section_touch(uint64_t address, uint64_t size, Mode mode)
{
    Event *event = step_event();
    while (size) {
        Word word = word_first(address, size);
        touch_word(event, word, mode);
        address += word.size;
        size -= word.size;
    }
}

/* ---- Hooks ------------------------------------------------------------------------ */

void sennit_rt_atomic_section_begin(const SennitSite *site)
{
    Thread *self = rt.self;
    sennit_rt_site = site;
    if (!self || self->section_depth++)
        return;
    self->section_depth = 0;
    step_begin(OP_SECTION_BEGIN, 0);
    step_opaque();
    step_wait();
    if (tracking.on) /* after other steps it may find values that depend on inputs, and decide something */
        rerun_mark(true);
    self->section_depth = 1;
    self->section_base = 0;
    self->special |= SPECIAL_SECTION;
    self->plain_slow |= PLAIN_SECTION;
}

/* Plain stores inside the section were recorded before they happened. */
static void read_final_values(const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->mode != MODE_READ && access->resource >> 56 == RES_MEMORY)
            access->after = guard_value(access, NULL);
    }
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
    self->section_depth = 0;
    self->special &= (uint8_t)~SPECIAL_SECTION;
    self->plain_slow &= (uint8_t)~PLAIN_SECTION;
    step_done();
}
