/* stamp.c - see stamp.h */
#include "rt/inputs/stamp.h"

#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/step.h"
#include "rt/sync/section.h"

/* Resource -> 8 bytes; an access uses the lanes of its word. */
static Map words;

void stamp_reset(void) { map_reset(&words); }

/* ---- Values ---------------------------------------------------------------------------- */

static Word word_of(uint64_t resource, uint8_t lanes)
{
    unsigned first = (unsigned)__builtin_ctz(lanes), size = (unsigned)__builtin_popcount(lanes);
    return word_within(word_address(resource) + first, size);
}

static uint64_t lanes_of(uint64_t all, Word word) { return all >> 8 * (word.address & 7) & word_mask(word.size); }

/* Memory that was filled before other threads could access it has no stamp yet. */
static bool has_shadow(Word word)
{
    return shadow_memory_used() &&
           shadow_memory_get(word.address, (const void *)(uintptr_t)word.address, 8 * word.size);
}

static uint64_t noted_value(uint64_t resource, Word word)
{
    const uint64_t *all = map_find(&words, resource);
    return all ? lanes_of(*all, word) : 0;
}

int64_t stamp_value(uint64_t resource, uint8_t lanes)
{
    Word word = word_of(resource, lanes);
    uint64_t value = noted_value(resource, word);
    if (value == 0 && resource >> 56 == RES_STAMP && has_shadow(word))
        return 1;
    return (int64_t)value;
}

static void set_lanes(uint64_t resource, Word word, uint64_t value)
{
    uint64_t *all = map_insert(&words, resource, NULL);
    unsigned shift = 8 * (word.address & 7);
    *all = (*all & ~(word_mask(word.size) << shift)) | value << shift;
}

/* In few lanes the number may wrap around: then some wait may miss it. */
static uint64_t next_value(uint64_t value, Word word)
{
    uint64_t next = (value + 1) & word_mask(word.size);
    if (next == 0)
        concretise_note("value that a thread may be waiting for");
    return next ? next : 1;
}

/* The step has one access per stamp. */
static Access *access_of_step(uint64_t resource, Word word, Mode mode)
{
    const Event *event = step_event();
    for (unsigned i = section_offset(rt.self); i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->resource != resource || access->lanes != word.lanes)
            continue;
        if (access->mode != mode)
            access->mode = MODE_WRITE;
        return access;
    }
    return NULL;
}

static void touch(uint64_t resource, Word word, Mode mode, uint64_t before, uint64_t after)
{
    Access *access = access_of_step(resource, word, mode);
    if (!access) {
        access = step_touch(resource, mode);
        access->lanes = word.lanes;
        access->before = (int64_t)before;
    }
    access->after = (int64_t)after;
    set_lanes(resource, word, after);
}

static void count_one(uint64_t resource, Word word, Mode mode)
{
    const Access *access = access_of_step(resource, word, mode);
    uint64_t before = access ? (uint64_t)access->before : noted_value(resource, word);
    touch(resource, word, mode, before, next_value(before, word));
}

/* ---- Steps ------------------------------------------------------------------------------- */

/* A stamp that is only implied by the shadow (stamp_value) would be lost with it. */
void stamp_before_store(Word word)
{
    uint64_t resource = stamp_resource(word.address);
    if (shadow_memory_touched(word.address) && stamp_value(resource, word.lanes) == 1)
        set_lanes(resource, word, 1);
}

void stamp_in_section(Word word)
{
    uint64_t resource = stamp_resource(word.address);
    if (shadow_memory_touched(word.address) && !access_of_step(resource, word, MODE_WRITE))
        touch(resource, word, MODE_WRITE, (uint64_t)stamp_value(resource, word.lanes), 0);
}

void stamp_stored(Word word, bool symbolic)
{
    uint64_t resource = stamp_resource(word.address);
    if (symbolic)
        count_one(resource, word, MODE_WRITE);
    else if (shadow_memory_touched(word.address))
        touch(resource, word, MODE_WRITE, noted_value(resource, word), 0);
}

void stamp_updated(Word word, bool symbolic)
{
    if (!symbolic && !shadow_memory_touched(word.address))
        return;
    count_one(stamp_updates_resource(word.address), word, MODE_ACCUMULATE);
    if (symbolic)
        count_one(stamp_resource(word.address), word, MODE_ACCUMULATE);
}

/* ---- Shadows that change after a step ------------------------------------------------------ */

/* Was the word written as part of the running thread's step? */
static bool step_writes(Word word)
{
    const Event *event = rt.ex->event_count ? step_event() : NULL;
    bool plain = rt.plain_visible || rt.options.volatile_atomic;
    if (!event || event->agent != rt.self->id || !(rt.self->section_depth || plain))
        return false;
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->resource == word_resource(word.address) && access->lanes & word.lanes && access->mode != MODE_READ)
            return true;
    }
    return false;
}

static bool waits_for(const Thread *thread, Word word)
{
    const Pending *pending = &thread->pending;
    bool waits = pending->op == OP_AWAIT || pending->op == OP_ASSUME || pending->op == OP_SPIN;
    for (unsigned i = 0; i < pending->count && waits; i++)
        if (pending->accesses[i].resource >> 56 == RES_MEMORY && pending->accesses[i].lanes & word.lanes &&
            word_address(pending->accesses[i].resource) == (word.address & ~7ull))
            return true;
    return false;
}

static void note_waits(Word word)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (rt.pending[agent / 64] >> agent % 64 & 1 && waits_for(thread_get(agent), word))
            concretise_note("value that a thread may be waiting for");
}

void stamp_shadow_changed(uint64_t address, uint64_t size, bool symbolic)
{
    if (!rt.self || rt.ex->agent_count < 2)
        return;
    while (size) {
        Word word = word_first(address, size);
        if (step_writes(word))
            stamp_stored(word, symbolic);
        else if (symbolic)
            note_waits(word);
        address += word.size;
        size -= word.size;
    }
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static void guard(uint64_t resource, Word word, int64_t seen)
{
    Access *access = step_touch(resource, MODE_READ);
    step_guard(access, NULL, REL_NE, seen);
    access->lanes = word.lanes;
}

void stamp_guard(Word word, int64_t seen) { guard(stamp_resource(word.address), word, seen); }
void stamp_guard_updates(Word word, int64_t seen) { guard(stamp_updates_resource(word.address), word, seen); }
