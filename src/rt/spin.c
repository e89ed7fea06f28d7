/* spin.c - see spin.h
 *
 * Loops nest: each thread keeps a stack of the loops it is in, each with the first of
 * its reads. A write empties it; the loops then begin anew.
 */
#include "rt/spin.h"

#include "rt/layout.h"
#include "rt/stamp.h"
#include "rt/tracking.h"

enum { MAX_LOOPS = 8, MAX_READS = 192 };

typedef struct Loop {
    const SennitSite *site;
    uint64_t frame; /* the stack below is that of functions which the round calls */
    uint32_t first_read;
} Loop;

struct Spin {
    uint32_t loops;
    uint32_t reads;
    uint32_t absorbed;      /* events up to here were looked at */
    Loop loop[MAX_LOOPS];   /* innermost last                   */
    Access read[MAX_READS]; /* with the value seen in `before`; guards: another one ends the wait */
};

/* ---- Remembering ------------------------------------------------------------ */

static void forget(Thread *self)
{
    self->spin->loops = 0;
    self->spin->reads = 0;
    self->special &= (uint8_t)~SPECIAL_SPIN;
    self->plain_slow &= (uint8_t)~PLAIN_SPIN;
}

/* Is the thread in a section that began in this round? What it touches there is looked at when the
 * section has ended: only then can one tell what has changed. */
static bool is_in_section_of_round(const Thread *self)
{
    return self->section_depth && self->has_event && self->last_event >= self->spin->absorbed;
}

void spin_write(Thread *self)
{
    if (!is_in_section_of_round(self))
        forget(self);
}

/* A variable of a function that the round has called: the next round begins without it. */
static bool is_variable_of_round(const Thread *self, uint64_t resource)
{
    const Spin *spin = self->spin;
    uint64_t address = (resource & 0xffffffffffffffull) << 3;
    return resource >> 56 == RES_MEMORY && spin->loops && address < spin->loop[spin->loops - 1].frame &&
           address >= stack_bottom(self->id);
}

static void add_read(Thread *self, Role role, uint64_t resource, uint8_t lanes, int64_t value)
{
    Spin *spin = self->spin;
    for (uint32_t i = spin->reads; spin->loops && i-- > spin->loop[spin->loops - 1].first_read;)
        if (spin->read[i].resource == resource && spin->read[i].lanes == lanes && spin->read[i].before == value)
            return;
    if (spin->reads == MAX_READS) /* too much to watch: then the loop just turns */
        forget(self);
    else if (spin->loops)
        spin->read[spin->reads++] = (Access){.resource = resource, .lanes = lanes, .before = value, .role = (uint8_t)role};
}

/* Whether a value that depends on inputs is followed by another one depends on them too:
 * then the stamp tells that something was stored. */
static void watch(Thread *self, uint64_t resource, uint8_t lanes, int64_t value)
{
    uint64_t address = (resource & 0xffffffffffffffull) << 3;
    if (is_variable_of_round(self, resource))
        return;
    if (LIKELY(!tracking.on) || resource >> 56 != RES_MEMORY) {
        add_read(self, ROLE_GUARD, resource, lanes, value);
        return;
    }
    int64_t stamp = stamp_value(stamp_resource(address), lanes);
    add_read(self, stamp ? ROLE_NONE : ROLE_GUARD, resource, lanes, stamp ? 0 : value);
    add_read(self, ROLE_GUARD, stamp_resource(address), lanes, stamp);
    if (stamp)
        add_read(self, ROLE_GUARD, stamp_updates_resource(address), lanes, stamp_value(stamp_updates_resource(address), lanes));
}

void spin_read(Thread *self, uint64_t address, uint64_t size)
{
    while (size && self->spin->loops && !is_in_section_of_round(self)) {
        Word word = word_first(address, size);
        watch(self, word_resource(word.address), word.lanes, (int64_t)word_load(word.address, word.size));
        address += word.size;
        size -= word.size;
    }
}

/* A write that leaves the value as it was has changed nothing for anybody. */
static bool only_reads(const Thread *self, const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        bool changed = access->mode != MODE_READ && access->before != access->after;
        if (changed && !is_variable_of_round(self, access->resource))
            return false;
    }
    return true;
}

void spin_absorb(Thread *self)
{
    Spin *spin = self->spin;
    const Event *event = &rt.ex->events[self->last_event];
    if (!self->has_event || self->last_event < spin->absorbed || is_in_section_of_round(self))
        return;
    spin->absorbed = self->last_event + 1;
    if (!only_reads(self, event)) {
        forget(self);
        return;
    }
    for (unsigned i = 0; i < event->access_count && spin->loops; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (!stamp_is_resource(access->resource))
            watch(self, access->resource, access->lanes, access->before);
    }
}

/* ---- Entering and turning ----------------------------------------------------- */

static Loop *find_loop(const Spin *spin, const SennitSite *site)
{
    for (uint32_t i = spin->loops; i-- > 0;)
        if (spin->loop[i].site == site)
            return (Loop *)&spin->loop[i];
    return NULL;
}

static Loop *push_loop(Spin *spin, const SennitSite *site)
{
    if (spin->loops == MAX_LOOPS) {
        spin->loops--;
        memmove(&spin->loop[0], &spin->loop[1], spin->loops * sizeof spin->loop[0]);
    }
    Loop *loop = &spin->loop[spin->loops++];
    loop->site = site;
    return loop;
}

/* A round of the loop begins here. */
static void begin_round(Thread *self, const SennitSite *site, const void *frame)
{
    Spin *spin = self->spin;
    Loop *loop = find_loop(spin, site);
    if (loop)
        spin->loops = (uint32_t)(loop - spin->loop) + 1;
    else
        loop = push_loop(spin, site);
    if (spin->loops == 1)
        spin->reads = 0;
    loop->frame = address_of(frame);
    loop->first_read = spin->reads;
    spin->absorbed = self->has_event ? self->last_event + 1 : 0;
    self->special |= SPECIAL_SPIN;
    self->plain_slow |= PLAIN_SPIN;
}

void sennit_rt_spin_enter(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self)
        return;
    if (!self->spin)
        self->spin = run_alloc(sizeof *self->spin);
    if (self->special & SPECIAL_SPIN)
        spin_absorb(self);
    begin_round(self, site, __builtin_frame_address(0));
}

/* Did a location show two values during the round? Then there is nothing to wait for. */
static bool saw_change(const Spin *spin, const Loop *loop)
{
    for (uint32_t i = loop->first_read; i < spin->reads; i++)
        for (uint32_t k = i + 1; k < spin->reads; k++)
            if (spin->read[i].resource == spin->read[k].resource && spin->read[i].lanes == spin->read[k].lanes)
                return true;
    return false;
}

static void announce_reads(const Spin *spin, const Loop *loop)
{
    step_begin(OP_SPIN, 0);
    for (uint32_t i = loop->first_read; i < spin->reads; i++) {
        Access *access = step_touch(spin->read[i].resource, MODE_READ);
        if (spin->read[i].role == ROLE_GUARD)
            step_guard(access, NULL, REL_NE, spin->read[i].before);
        access->lanes = spin->read[i].lanes;
    }
    step_guard_any();
}

/* After the wait the values are those of now. */
static void read_values(void)
{
    const Event *event = step_event();
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        access->before = access->after = guard_value(access, NULL);
    }
}

void sennit_rt_spin_again(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self)
        return;
    sennit_rt_site = site;
    if (!(self->special & SPECIAL_SPIN)) {
        sennit_rt_spin_enter(site);
        return;
    }
    spin_absorb(self);
    const Loop *loop = self->special & SPECIAL_SPIN ? find_loop(self->spin, site) : NULL;
    if (!loop) {
        sennit_rt_spin_enter(site);
        return;
    }
    if (loop->first_read == self->spin->reads || is_in_section_of_round(self) || saw_change(self->spin, loop)) {
        begin_round(self, site, __builtin_frame_address(0));
        return;
    }
    announce_reads(self->spin, loop);
    step_wait();
    read_values();
    begin_round(self, site, __builtin_frame_address(0));
    step_done();
}

void sennit_rt_spin_leave(void)
{
    Thread *self = rt.self;
    if (!self || !(self->special & SPECIAL_SPIN))
        return;
    if (--self->spin->loops == 0)
        forget(self);
}
