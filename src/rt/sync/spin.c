/* spin.c - see spin.h
 *
 * Loops nest: each thread keeps a stack of the loops it is in, each with the first of
 * its reads. A write empties it; the loops then begin anew.
 */
#include "rt/sync/spin.h"

#include "rt/inputs/stamp.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/layout.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"

enum { MAX_LOOPS = 8, MAX_READS = 192, MAX_READS_UNDER_LOCK = 96, MAX_LOCKS = 8 };

typedef struct Loop {
    const SennitSite *site;
    uint64_t frame; /* the stack below is that of functions which the round calls */
    uint32_t first_read;
    uint32_t first_lock; /* locks that the round has taken        */
    bool let_go;         /* it gave back one that it had not taken */
} Loop;

/* What the thread saw. */
typedef struct Look {
    uint64_t resource;
    int64_t value;
    uint8_t lanes;
    bool guards; /* another value ends the wait                                        */
    bool plain;  /* no step: whoever changes the value does so in the middle of a step */
} Look;

struct Spin {
    uint32_t loops;
    uint32_t reads;
    uint32_t locks;
    uint32_t absorbed;        /* events up to here were looked at */
    Loop loop[MAX_LOOPS];     /* innermost last                   */
    uint64_t lock[MAX_LOCKS]; /* taken, and nothing was changed since then */
    Look read[MAX_READS];
};

/* ---- Remembering ------------------------------------------------------------ */

static void forget(Thread *self)
{
    self->spin->loops = 0;
    self->spin->reads = 0;
    self->spin->locks = 0;
    self->special &= (uint8_t)~SPECIAL_SPIN;
    self->plain_slow &= (uint8_t)~SLOW_SPIN;
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

static void add_look(Thread *self, Look look)
{
    Spin *spin = self->spin;
    for (uint32_t i = spin->reads; spin->loops && i-- > spin->loop[spin->loops - 1].first_read;) {
        Look *same = &spin->read[i];
        if (same->resource == look.resource && same->lanes == look.lanes && same->value == look.value) {
            same->plain &= look.plain;
            return;
        }
    }
    if (spin->reads == MAX_READS) /* too much to watch: then the loop just turns */
        forget(self);
    else if (spin->loops)
        spin->read[spin->reads++] = look;
}

/* Whether a value that depends on inputs is followed by another one depends on them too:
 * then the stamp tells that something was stored. */
static void watch(Thread *self, Look look)
{
    uint64_t address = (look.resource & 0xffffffffffffffull) << 3;
    if (is_variable_of_round(self, look.resource))
        return;
    if (LIKELY(!tracking.on) || look.resource >> 56 != RES_MEMORY) {
        add_look(self, look);
        return;
    }
    Look stamp = look, updates = look;
    stamp.resource = stamp_resource(address);
    stamp.value = stamp_value(stamp.resource, look.lanes);
    look.guards = stamp.value == 0;
    if (stamp.value)
        look.value = 0;
    add_look(self, look);
    add_look(self, stamp);
    if (!stamp.value)
        return;
    updates.resource = stamp_updates_resource(address);
    updates.value = stamp_value(updates.resource, look.lanes);
    add_look(self, updates);
}

/* Does the thread hold a lock that it took in this round? */
static bool is_under_lock(const Spin *spin)
{
    return spin->loops && spin->locks > spin->loop[spin->loops - 1].first_lock;
}

void spin_read(Thread *self, uint64_t address, uint64_t size)
{
    if (spin_polls_locks && !(self->special & SPECIAL_STORE)) /* it may just have taken a lock */
        spin_absorb(self);
    while (size && self->spin->loops && !is_in_section_of_round(self)) {
        if (is_under_lock(self->spin) && self->spin->reads >= MAX_READS_UNDER_LOCK)
            return; /* the lock's turns are waited for; these reads only tell of races */
        Word word = word_first(address, size);
        watch(self, (Look){.resource = word_resource(word.address), .lanes = word.lanes, .guards = true, .plain = true,
                           .value = (int64_t)word_load(word.address, word.size)});
        address += word.size;
        size -= word.size;
    }
}

/* A write that leaves the value as it was has changed nothing for anybody. */
static bool changes(const Access *access) { return access->mode != MODE_READ && access->before != access->after; }

static bool is_turn(const Access *access)
{
    return spin_polls_locks && access->resource >> 56 == RES_LOCK && changes(access);
}

static bool only_reads(const Thread *self, const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (changes(access) && !is_variable_of_round(self, access->resource) && !is_turn(access))
            return false;
    }
    return true;
}

/* ---- Locks -------------------------------------------------------------------- */

bool spin_polls_locks;

/* Made by the instrumenter: there are such loops; the program asks whether a lock is free. */
extern const char sennit_polls_locks __attribute__((weak));
extern const char sennit_tries_locks __attribute__((weak));

static Map turns; /* resource -> their number */

void spin_reset(void)
{
    spin_polls_locks = &sennit_polls_locks && !&sennit_tries_locks;
    map_reset(&turns);
}

static uint64_t turns_resource(uint64_t lock) { return resource_make(RES_TURNS, lock); }

int64_t spin_turns(uint64_t resource)
{
    const uint64_t *number = map_find(&turns, resource);
    return number ? (int64_t)*number : 0;
}

static uint32_t place_of_lock(const Spin *spin, uint64_t lock)
{
    uint32_t i = 0;
    while (i < spin->locks && spin->lock[i] != lock)
        i++;
    return i;
}

static bool has_only_looked(const Thread *self, uint64_t lock)
{
    return self && self->special & SPECIAL_SPIN && place_of_lock(self->spin, lock) < self->spin->locks;
}

void spin_announce_turn(uint64_t lock)
{
    if (has_only_looked(rt.self, lock))
        return;
    Access *access = step_touch(turns_resource(lock), MODE_WRITE);
    access->before = access->after = spin_turns(turns_resource(lock));
}

void spin_count_turn(uint64_t lock)
{
    Access *access = step_find(turns_resource(lock));
    if (access)
        access->after = (int64_t)++*map_insert(&turns, turns_resource(lock), NULL);
}

static void take(Thread *self, uint64_t lock)
{
    if (self->spin->locks == MAX_LOCKS)
        forget(self);
    else
        self->spin->lock[self->spin->locks++] = lock;
}

static void give(Thread *self, uint64_t lock)
{
    Spin *spin = self->spin;
    uint32_t place = place_of_lock(spin, lock);
    if (place == spin->locks) {
        forget(self);
        return;
    }
    spin->locks--;
    for (uint32_t i = place; i < spin->locks; i++)
        spin->lock[i] = spin->lock[i + 1];
    for (uint32_t i = 0; i < spin->loops; i++)
        spin->loop[i].let_go |= place < spin->loop[i].first_lock;
    add_look(self, (Look){.resource = turns_resource(lock),
                          .lanes = LANES_ALL,
                          .guards = true,
                          .value = spin_turns(turns_resource(lock))});
}

/* Has the round given back the locks that it took, and no others? */
static bool is_balanced(const Spin *spin, const Loop *loop) { return !loop->let_go && spin->locks == loop->first_lock; }

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
        if (is_turn(access))
            (access->after ? take : give)(self, access->resource);
        else if (!stamp_is_resource(access->resource))
            watch(
                self,
                (Look){.resource = access->resource, .lanes = access->lanes, .guards = true, .value = access->before});
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
    loop->first_lock = spin->locks;
    loop->let_go = false;
    loop->frame = address_of(frame);
    loop->first_read = spin->reads;
    spin->absorbed = self->has_event ? self->last_event + 1 : 0;
    self->special |= SPECIAL_SPIN;
    self->plain_slow |= SLOW_SPIN;
}

void sennit_rt_spin_enter(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self)
        return;
    if (!self->spin)
        self->spin = transient_alloc(sizeof *self->spin);
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

static bool looks_at_steps(const Spin *spin, const Loop *loop)
{
    for (uint32_t i = loop->first_read; i < spin->reads; i++)
        if (!spin->read[i].plain)
            return true;
    return false;
}

/* Beside what steps change, plain memory is not waited for: if somebody writes there, it is a data
 * race, since a round lets nobody know that it has read. */
static void announce_looks(const Spin *spin, const Loop *loop)
{
    bool steps = looks_at_steps(spin, loop);
    step_begin(OP_SPIN, 0);
    for (uint32_t i = loop->first_read; i < spin->reads; i++) {
        const Look *look = &spin->read[i];
        if (steps && look->plain)
            continue;
        Access *access = step_touch(look->resource, MODE_READ);
        if (look->guards)
            step_guard(access, NULL, REL_NE, look->value);
        access->lanes = look->lanes;
    }
    step_guard_any();
}

/* The race is what is reported, not that it has not seen the change. */
bool spin_misses_race(const Thread *thread)
{
    const Spin *spin = thread->spin;
    for (uint32_t i = 0; spin && thread->pending.op == OP_SPIN && i < spin->reads; i++) {
        const Look *look = &spin->read[i];
        Access access = {.resource = look->resource, .lanes = look->lanes};
        if (look->plain && look->guards && scheduler_guard_value(&access, NULL) != look->value)
            return true;
    }
    return false;
}

/* After the wait the values are those of now. */
static void read_values(void)
{
    const Event *event = step_event();
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        access->before = access->after = scheduler_guard_value(access, NULL);
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
    if (loop->first_read == self->spin->reads || is_in_section_of_round(self) || !is_balanced(self->spin, loop) ||
        saw_change(self->spin, loop)) {
        begin_round(self, site, __builtin_frame_address(0));
        return;
    }
    announce_looks(self->spin, loop);
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
