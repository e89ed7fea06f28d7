/* property.c - see property.h */
#include "rt/detect/property.h"

#include "base/vec.h"
#include "rt/detect/bug.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/memory/globals.h"
#include "rt/sync/observe.h"
#include "rt/sync/section.h"

typedef struct Looked {
    sennit_property *property;
    VEC(Word) words; /* that it has read when it was looked at last */
    bool failed;     /* in this execution                           */
} Looked;

static VEC(Looked) watched;
static uint32_t failures;           /* in this execution                  */
static Looked *current;            /* that is looked at                 */
static const SennitSite *step_site; /* of the step that may have changed it */

void property_add(sennit_property *property)
{
    VEC_PUSH(&watched, (Looked){.property = property});
    if (property->obliges)
        observe_add(&property->obligation);
}

bool property_exists(void) { return watched.count > 0; }

uint32_t property_failures(void) { return watched.count ? failures : 0; }

/* ---- Looking ----------------------------------------------------------------------------------- */

/* The expression is code of the program, inside the step that the thread has just taken. */
static void look_at(Looked *w)
{
    CallFrame frame = rt.frame;
    step_site = sennit_rt_site;
    w->words.count = 0;
    current = w;
    section_extend(rt.self);
    w->property->look(w->property);
    section_extended(rt.self);
    sennit_rt_site = step_site;
    rt.frame = frame;
}

void property_begin(void)
{
    if (watched.count && rt.ex->memory != MEMORY_SC)
        report_refused("sennit_always and the like need --memory=sc");
    failures = 0;
    for (uint32_t i = 0; i < watched.count; i++) {
        watched.items[i].failed = false;
        look_at(&watched.items[i]);
    }
}

static bool has_word(const Looked *w, const Access *access)
{
    for (uint32_t i = 0; i < w->words.count; i++)
        if (word_resource(w->words.items[i].address) == access->resource && w->words.items[i].lanes & access->lanes)
            return true;
    return false;
}

static bool writes_memory(const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->resource >> 56 == RES_MEMORY && access->mode != MODE_NONE && access->mode != MODE_READ)
            return true;
    }
    return false;
}

static bool may_have_changed(const Looked *w, const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->mode != MODE_NONE && access->mode != MODE_READ && has_word(w, access))
            return true;
    }
    return false;
}

void property_look(void)
{
    Thread *self = rt.self;
    Event *event = step_event();
    if (self->section_depth || event->agent != self->id || !writes_memory(event))
        return;
    event->flags |= EVENT_OPAQUE | EVENT_RERUN; /* elsewhere, a property may depend on what it writes */
    for (uint32_t i = 0; i < watched.count; i++) {
        Looked *w = &watched.items[i];
        if (!may_have_changed(w, event))
            continue;
        for (uint32_t k = 0; k < w->words.count; k++)
            section_touch(w->words.items[k].address, w->words.items[k].size, MODE_READ);
        look_at(w);
    }
}

void property_note_read(Word word)
{
    Access access = {.resource = word_resource(word.address), .lanes = word.lanes};
    if (!has_word(current, &access))
        VEC_PUSH(&current->words, word);
}

/* ---- What it says --------------------------------------------------------------------------------- */

void property_fails(sennit_property *property)
{
    sennit_rt_site = step_site;
    if (current->failed)
        return;
    current->failed = true;
    failures++;
    report_note(BUG_ASSERTION, "%s does not hold: %s", property->name, property->text);
}

void property_owes(sennit_property *property, bool owes)
{
    sennit_obligation *o = &property->obligation;
    rt.self->looks = false; /* what it owes is not what it reads */
    section_touch(address_of(&o->hot), sizeof o->hot, o->hot == owes ? MODE_READ : MODE_WRITE);
    rt.self->looks = true;
    if (o->hot == owes)
        return;
    globals_note_write(address_of(o), sizeof *o);
    o->hot = owes;
    o->agent = owes ? thread_strand() : 0; /* not the message, which is none of the state */
    o->site = owes ? site_name(step_site) : 0;
}
