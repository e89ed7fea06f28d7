/* hb.c - see hb.h
 *
 * Cost per event: one lookup per access, and a join of clocks for each direct
 * conflict since the last write that covers the access.
 */
#include "core/hb.h"

#include <string.h>
#include <sys/mman.h>

/* Clocks are joined in groups of numbers, for which compilers use vector instructions. */
enum { GROUP = 8 };
_Static_assert(EXECUTION_MAX_EVENTS <= INT32_MAX, "clocks are compared as signed numbers");

/* ---- Lifecycle -------------------------------------------------------- */

/* Labels point into these arrays, so they must never move. */
static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(size);
    return block;
}

void hb_init(Hb *hb, const Execution *ex)
{
    memset(hb, 0, sizeof *hb);
    hb->ex = ex;
    hb->stride = GROUP; /* doubled when there are more agents */
    hb->accesses = reserve(EXECUTION_MAX_ACCESSES * sizeof *hb->accesses);
    hb->touches = reserve(EXECUTION_MAX_ACCESSES * sizeof *hb->touches);
    hb->choices = reserve(EXECUTION_MAX_CHOICES * sizeof *hb->choices);
    VEC_RESERVE(&hb->table, 256);
    hb->table.count = hb->table.room;
    memset(hb->table.items, 0, hb->table.count * sizeof *hb->table.items);
}

void hb_release(Hb *hb)
{
    munmap(hb->accesses, EXECUTION_MAX_ACCESSES * sizeof *hb->accesses);
    munmap(hb->touches, EXECUTION_MAX_ACCESSES * sizeof *hb->touches);
    munmap(hb->choices, EXECUTION_MAX_CHOICES * sizeof *hb->choices);
    VEC_FREE(&hb->events);
    VEC_FREE(&hb->clocks);
    VEC_FREE(&hb->races);
    VEC_FREE(&hb->conditional);
    VEC_FREE(&hb->slots);
    VEC_FREE(&hb->table);
    VEC_FREE(&hb->last);
}

/* ---- Resources -------------------------------------------------------- */

static uint32_t hash_place(const Hb *hb, uint64_t resource)
{
    uint32_t mask = hb->table.count - 1;
    uint32_t place = (uint32_t)(resource * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (hb->table.items[place] && hb->slots.items[hb->table.items[place] - 1].resource != resource)
        place = (place + 1) & mask;
    return place;
}

static void grow_table(Hb *hb)
{
    uint32_t size = hb->table.count * 2;
    VEC_RESERVE(&hb->table, size);
    hb->table.count = size;
    memset(hb->table.items, 0, size * sizeof *hb->table.items);
    for (uint32_t s = 0; s < hb->slots.count; s++)
        hb->table.items[hash_place(hb, hb->slots.items[s].resource)] = s + 1;
}

static uint32_t slot_of(Hb *hb, uint64_t resource)
{
    uint32_t place = hash_place(hb, resource);
    if (hb->table.items[place])
        return hb->table.items[place] - 1;
    if (hb->slots.count * 2 >= hb->table.count) {
        grow_table(hb);
        place = hash_place(hb, resource);
    }
    VEC_PUSH(&hb->slots, ((HbSlot){.resource = resource, .newest = HB_NONE}));
    hb->table.items[place] = hb->slots.count;
    return hb->slots.count - 1;
}

uint32_t hb_newest(const Hb *hb, uint64_t resource)
{
    uint32_t entry = hb->table.items[hash_place(hb, resource)];
    return entry ? hb->slots.items[entry - 1].newest : HB_NONE;
}

/* ---- Clocks ----------------------------------------------------------- */

/* As signed numbers, which old vector instructions can compare too; no count exceeds EXECUTION_MAX_EVENTS. */
static void join(uint32_t *restrict clock, const uint32_t *restrict other, uint32_t stride)
{
    for (; stride; stride -= GROUP, clock += GROUP, other += GROUP)
        for (int i = 0; i < GROUP; i++)
            clock[i] = (int32_t)clock[i] > (int32_t)other[i] ? clock[i] : other[i];
}

/* Calls of memcpy for a few numbers take longer. */
static void copy(uint32_t *restrict clock, const uint32_t *restrict other, uint32_t stride)
{
    for (; stride; stride -= GROUP, clock += GROUP, other += GROUP)
        for (int i = 0; i < GROUP; i++)
            clock[i] = other[i];
}

/* More agents than clock entries: all events are ordered again with wider clocks. */
static void widen(Hb *hb, uint32_t agents)
{
    hb_rewind(hb, 0);
    while (hb->stride < agents)
        hb->stride *= 2;
}

/* Joins the conflicting accesses of the chain into the clock; those that did not happen before the agent's previous
 * step (`known`) are possible races. What conflicts with an earlier access of the agent in the same mode is known. */
static void join_conflicts(Hb *hb, uint32_t *clock, const uint32_t *known, AgentId agent, const Touch *touch,
                           uint32_t chain)
{
    uint8_t open = touch->lanes;
    for (uint32_t a = chain; a != HB_NONE && open; a = hb->accesses[a].previous) {
        const Touch *earlier = &hb->touches[a];
        if (!(earlier->lanes & open))
            continue;
        uint32_t position = hb->accesses[a].position;
        if (!modes_conflict((Mode)touch->mode, (Mode)earlier->mode)) {
            if (earlier->mode == touch->mode && hb->events.items[position].label.agent == agent)
                open &= (uint8_t)~earlier->lanes;
            continue;
        }
        const Label *label = &hb->events.items[position].label;
        if (!known || known[label->agent] <= label->index) {
            join(clock, hb_clock(hb, position), hb->stride);
            VEC_PUSH(&hb->races, position);
        }
        if (earlier->mode == MODE_WRITE)
            open &= (uint8_t)~earlier->lanes; /* earlier conflicts happen before this write */
    }
}

/* Keeps the races that do not happen before another one, each once. */
static void keep_direct_races(Hb *hb, HbEvent *entry)
{
    uint32_t *races = &hb->races.items[entry->first_race], kept = 0;
    uint32_t count = hb->races.count - entry->first_race;
    for (uint32_t i = 0; i < count; i++) {
        bool direct = true;
        VEC_RESERVE(&hb->races, hb->races.count + 1);
        races = &hb->races.items[entry->first_race];
        for (uint32_t k = 0; k < count && direct; k++)
            direct = races[k] == races[i] ? k >= i : !hb_reaches(hb, races[i], races[k]);
        if (direct)
            hb->races.items[hb->races.count++] = races[i];
    }
    kept = hb->races.count - entry->first_race - count;
    if (kept)
        memmove(races, races + count, kept * sizeof *races);
    hb->races.count = entry->first_race + kept;
    entry->race_count = kept;
}

/* ---- Events ----------------------------------------------------------- */

static void fill_label(Hb *hb, Label *label, const Event *event)
{
    label->agent = event->agent;
    label->index = event->index;
    label->filter = 0;
    label->touches = &hb->touches[event->first_access];
    label->choices = &hb->choices[event->first_choice];
    label->touch_count = event->access_count;
    label->choice_count = event->choice_count;
    label->conditional = false;
    label->fixed = (event->flags & EVENT_FIXED) != 0;
    for (uint32_t c = event->first_choice; c < event->first_choice + event->choice_count; c++) {
        hb->choices[c] = (Literal){.condition = hb->ex->choices[c].condition, .taken = hb->ex->choices[c].taken};
        label->conditional = label->conditional || hb->choices[c].condition != 0;
    }
}

uint32_t hb_previous_of(const Hb *hb, AgentId id, uint32_t index)
{
    if (index > 0)
        return hb->last.items[id];
    AgentId creator;
    uint32_t step;
    if (!execution_creation(hb->ex, id, &creator, &step))
        return HB_NONE;
    for (uint32_t p = hb->last.items[creator];; p = hb->events.items[p].previous)
        if (hb->events.items[p].label.index == step)
            return p;
}

/* For EVENT_QUIET: the newest step of every agent happens before the event. */
static void join_everything(Hb *hb, uint32_t *clock)
{
    for (AgentId agent = 0; agent < hb->last.count; agent++)
        if (hb->last.items[agent] != HB_NONE)
            join(clock, hb_clock(hb, hb->last.items[agent]), hb->stride);
}

static void add_event(Hb *hb)
{
    uint32_t position = hb->count;
    const Event *event = &hb->ex->events[position];
    VEC_RESERVE(&hb->events, position + 1);
    VEC_RESERVE(&hb->clocks, (position + 1) * hb->stride);
    HbEvent *entry = &hb->events.items[position];
    uint32_t *clock = &hb->clocks.items[(size_t)position * hb->stride];
    fill_label(hb, &entry->label, event);
    entry->previous = hb_previous_of(hb, event->agent, event->index);
    entry->first_access = event->first_access;
    entry->first_race = hb->races.count;
    const uint32_t *known = entry->previous == HB_NONE ? NULL : hb_clock(hb, entry->previous);
    if (known)
        copy(clock, known, hb->stride);
    else
        memset(clock, 0, hb->stride * sizeof *clock);
    if (event->flags & EVENT_QUIET)
        join_everything(hb, clock);
    for (uint32_t a = event->first_access; a < event->first_access + event->access_count; a++) {
        const Access *access = &hb->ex->accesses[a];
        uint32_t slot = slot_of(hb, access->resource);
        hb->touches[a] = touch_of(access);
        hb->accesses[a] = (HbAccess){.previous = hb->slots.items[slot].newest, .slot = slot, .position = position};
        entry->label.filter |= label_filter_bit(access->resource);
        join_conflicts(hb, clock, known, event->agent, &hb->touches[a], hb->accesses[a].previous);
    }
    /* Only now: an event must not find its own accesses. */
    for (uint32_t a = event->first_access; a < event->first_access + event->access_count; a++) {
        hb->accesses[a].previous = hb->slots.items[hb->accesses[a].slot].newest;
        hb->slots.items[hb->accesses[a].slot].newest = a;
    }
    keep_direct_races(hb, entry);
    if (entry->label.conditional)
        VEC_PUSH(&hb->conditional, position);
    clock[event->agent] = event->index + 1;
    hb->last.items[event->agent] = position;
    hb->count = position + 1;
}

bool hb_fits(const Hb *hb)
{
    if (hb->count == 0)
        return true;
    const HbEvent *entry = &hb->events.items[hb->count - 1];
    const Event *event = &hb->ex->events[hb->count - 1];
    return event->first_access == entry->first_access && event->access_count == entry->label.touch_count;
}

bool hb_repeats(const Hb *hb, uint32_t position, const Label *label)
{
    bool broke_off = execution_broke_off(hb->ex);
    if (position >= hb->count)
        return broke_off;
    const Label *done = &hb->events.items[position].label;
    if (broke_off && position + 1 == hb->count)
        return done->agent == label->agent;
    return label_equal(label, done);
}

void hb_extend(Hb *hb)
{
    if (hb->ex->agent_count > hb->stride)
        widen(hb, hb->ex->agent_count);
    while (hb->last.count < hb->ex->agent_count)
        VEC_PUSH(&hb->last, HB_NONE);
    while (hb->count < hb->ex->event_count)
        add_event(hb);
}

void hb_rewind(Hb *hb, uint32_t position)
{
    while (hb->count > position) {
        const HbEvent *entry = &hb->events.items[--hb->count];
        const Label *label = &entry->label;
        hb->races.count = entry->first_race;
        for (uint32_t n = label->touch_count; n-- > 0;) {
            const HbAccess *access = &hb->accesses[entry->first_access + n];
            hb->slots.items[access->slot].newest = access->previous;
        }
        hb->conditional.count -= label->conditional;
        hb->last.items[label->agent] = label->index > 0 ? entry->previous : HB_NONE;
    }
}
