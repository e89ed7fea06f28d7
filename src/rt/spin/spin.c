/* spin.c - see spin.h
 *
 * Loops nest: each thread has a stack of the loops it is in, each with the index of its first
 * read. A write empties the stack; the loops then start again.
 */
#include "rt/spin/spin.h"

#include <string.h>

#include "base/map.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/layout.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/spin/detour.h"
#include "rt/spin/park.h"
#include "rt/spin/repeat.h"
#include "rt/spin/revisit.h"
#include "rt/spin/spin_pass.h"
#include "rt/spin/spin_reads.h"

enum { MAX_LOOPS = 8, FEW_READS = 8, MAX_READS = 192, MAX_READS_UNDER_LOCK = 96, MAX_LOCKS = 8 };

typedef struct Loop {
    const SennitSite *site;
    uint64_t frame;      /* the stack below belongs to functions that the iteration calls */
    uint32_t first_read;
    uint32_t first_lock; /* of those that the iteration has acquired */
    bool released_outer; /* it released one that it had not acquired */
} Loop;

struct Spin {
    uint32_t loops;
    uint32_t reads;
    uint32_t locks;
    uint32_t absorbed;        /* events up to here are recorded   */
    Loop loop[MAX_LOOPS];     /* innermost last                   */
    uint64_t lock[MAX_LOCKS]; /* acquired, with no change since   */
    uint32_t room;            /* for reads                        */
    SpinRead *read;
};

/* ---- Recording reads --------------------------------------------------------- */

static void forget(Thread *self)
{
    self->spin->loops = 0;
    self->spin->reads = 0;
    self->spin->locks = 0;
    self->special &= (uint16_t)~SPECIAL_SPIN;
    self->plain_slow &= (uint8_t)~SLOW_SPIN;
}

/* Is the thread in a section that began in this iteration? Its accesses are recorded when the section
 * has ended: only then it is known what has changed. */
static bool is_in_section_of_iteration(const Thread *self)
{
    return self->section_depth && self->has_event && self->last_event >= self->spin->absorbed;
}

void spin_write(Thread *self)
{
    if (!is_in_section_of_iteration(self))
        forget(self);
}

/* A variable of a function that the iteration has called: the next iteration starts without it. */
static bool is_variable_of_iteration(const Thread *self, uint64_t resource)
{
    const Spin *spin = self->spin;
    uint64_t address = word_address(resource);
    return resource >> 56 == RES_MEMORY && spin->loops && address < spin->loop[spin->loops - 1].frame &&
           address >= stack_bottom(self->seat);
}

static void reserve_read(Spin *spin)
{
    if (spin->reads < spin->room)
        return;
    uint32_t room = spin->room ? 2 * spin->room : FEW_READS;
    SpinRead *bigger = transient_alloc(room * sizeof *bigger);
    if (spin->reads)
        memcpy(bigger, spin->read, spin->reads * sizeof *bigger);
    spin->read = bigger;
    spin->room = room;
}

static void add_read(Thread *self, SpinRead seen)
{
    Spin *spin = self->spin;
    for (uint32_t i = spin->reads; spin->loops && i-- > spin->loop[spin->loops - 1].first_read;) {
        SpinRead *same = &spin->read[i];
        if (same->resource == seen.resource && same->lanes == seen.lanes && same->value == seen.value) {
            spin_reads_merge(same, &seen);
            return;
        }
    }
    if (spin->reads == MAX_READS) /* too many to wait for: the loop just continues */
        forget(self);
    if (!spin->loops)
        return;
    reserve_read(spin);
    spin->read[spin->reads++] = seen;
}

static void watch(Thread *self, SpinRead seen)
{
    SpinRead reads[3];
    if (is_variable_of_iteration(self, seen.resource))
        return;
    uint32_t count = spin_reads_expand(seen, reads);
    for (uint32_t i = 0; i < count; i++)
        add_read(self, reads[i]);
}

/* Does the thread hold a lock that it acquired in this iteration? */
static bool is_under_lock(const Spin *spin)
{
    return spin->loops && spin->locks > spin->loop[spin->loops - 1].first_lock;
}

void spin_read(Thread *self, uint64_t address, uint64_t size)
{
    if (spin_polls_locks && !(self->special & SPECIAL_STORE)) /* it may just have acquired a lock */
        spin_absorb(self);
    while (size && self->spin->loops && !is_in_section_of_iteration(self)) {
        if (is_under_lock(self->spin) && self->spin->reads >= MAX_READS_UNDER_LOCK)
            return; /* it waits for the lock's releases; these reads only reveal races */
        Word word = word_first(address, size);
        watch(self, (SpinRead){.resource = word_resource(word.address),
                               .lanes = word.lanes,
                               .guards = true,
                               .plain = true,
                               .value = (int64_t)word_load(word.address, word.size)});
        address += word.size;
        size -= word.size;
    }
}

static bool is_lock_change(const Access *access)
{
    return spin_polls_locks && access->resource >> 56 == RES_LOCK && spin_reads_changed(access);
}

static bool only_reads(const Thread *self, const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (spin_reads_changed(access) && !is_variable_of_iteration(self, access->resource) && !is_lock_change(access))
            return false;
    }
    return true;
}

/* ---- Locks -------------------------------------------------------------------- */

bool spin_polls_locks;

/* Defined by the instrumenter: there are polling loops; the program asks whether a lock is free. */
extern const char sennit_polls_locks __attribute__((weak));
extern const char sennit_tries_locks __attribute__((weak));

static Map releases; /* resource -> number */

void spin_reset(void)
{
    spin_polls_locks = &sennit_polls_locks && !&sennit_tries_locks && !rt.options.states;
    map_reset(&releases);
    revisit_reset();
}

void spin_save(RtImage *image)
{
    image_add(image, &releases.count, sizeof releases.count);
    image_add_items(image, &releases.entries, releases.room * sizeof *releases.entries);
}

static uint64_t releases_resource(uint64_t lock) { return resource_make(RES_RELEASES, lock); }

int64_t spin_releases(uint64_t resource)
{
    const uint64_t *number = map_find(&releases, resource);
    return number ? (int64_t)*number : 0;
}

static uint32_t place_of_lock(const Spin *spin, uint64_t lock)
{
    uint32_t i = 0;
    while (i < spin->locks && spin->lock[i] != lock)
        i++;
    return i;
}

static bool has_only_read(const Thread *self, uint64_t lock)
{
    return self && self->special & SPECIAL_SPIN && place_of_lock(self->spin, lock) < self->spin->locks;
}

void spin_announce_release(uint64_t lock)
{
    if (has_only_read(rt.self, lock))
        return;
    Access *access = step_touch(releases_resource(lock), MODE_WRITE);
    access->before = access->after = spin_releases(releases_resource(lock));
}

void spin_count_release(uint64_t lock)
{
    Access *access = step_find(releases_resource(lock));
    uint32_t room = releases.room;
    if (access)
        access->after = (int64_t)++*map_insert(&releases, releases_resource(lock), NULL);
    if (UNLIKELY(releases.room != room))
        image_void_all();
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
        spin->loop[i].released_outer |= place < spin->loop[i].first_lock;
    add_read(self, (SpinRead){.resource = releases_resource(lock),
                              .lanes = LANES_ALL,
                              .guards = true,
                              .value = spin_releases(releases_resource(lock))});
}

/* Has the iteration released the locks that it acquired, and no others? */
static bool is_balanced(const Spin *spin, const Loop *loop)
{
    return !loop->released_outer && spin->locks == loop->first_lock;
}

void spin_absorb(Thread *self)
{
    Spin *spin = self->spin;
    const Event *event = &rt.ex->events[self->last_event];
    if (!self->has_event || self->last_event < spin->absorbed || is_in_section_of_iteration(self))
        return;
    spin->absorbed = self->last_event + 1;
    if (!only_reads(self, event)) {
        forget(self);
        return;
    }
    for (unsigned i = 0; i < event->access_count && spin->loops; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (is_lock_change(access))
            (access->after ? take : give)(self, access->resource);
        else if (!stamp_is_resource(access->resource) && access->mode != MODE_NONE)
            watch(self, (SpinRead){.resource = access->resource,
                                   .lanes = access->lanes,
                                   .guards = true,
                                   .weak = access->order != ORDER_STRONG,
                                   .value = access->before});
    }
}

/* ---- Iterations ----------------------------------------------------------------- */

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

/* An iteration of the loop begins. */
static void begin_iteration(Thread *self, const SennitSite *site, const void *frame)
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
    loop->released_outer = false;
    loop->frame = address_of(frame);
    loop->first_read = spin->reads;
    spin->absorbed = self->has_event ? self->last_event + 1 : 0;
    self->special |= SPECIAL_SPIN;
    self->plain_slow |= SLOW_SPIN;
}

void sennit_rt_spin_enter(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self || UNLIKELY(rt.options.states))
        return;
    if (!self->spin)
        self->spin = transient_alloc(sizeof *self->spin);
    if (self->special & SPECIAL_SPIN)
        spin_absorb(self);
    begin_iteration(self, site, __builtin_frame_address(0));
}

/* The race is reported instead of a livelock. */
bool spin_misses_race(const Thread *thread)
{
    const Spin *spin = thread->spin;
    if (park_is_stuck(thread))
        return false;
    if (thread->pending.op != OP_SPIN || repeat_waits(thread))
        return thread->pending.op == OP_SPIN && repeat_misses_race(thread);
    return spin && spin_reads_race(spin->read, spin->reads);
}

/* The loop whose iteration ends here, and has changed nothing; NULL for others, or if it began elsewhere. */
static const Loop *end_of_iteration(Thread *self, const SennitSite *site)
{
    sennit_rt_site = site;
    if (!(self->special & SPECIAL_SPIN))
        return NULL;
    spin_absorb(self);
    return self->special & SPECIAL_SPIN ? find_loop(self->spin, site) : NULL;
}

static bool is_pure(const Thread *self, const Loop *loop)
{
    return !is_in_section_of_iteration(self) && is_balanced(self->spin, loop);
}

/* With --reduction=states loops stay loops (spin_pass.h). */
static bool passes_as_step(Thread *self, const SennitSite *site)
{
    if (LIKELY(!rt.options.states))
        return false;
    sennit_rt_site = site;
    spin_pass(self, NULL);
    return true;
}

void sennit_rt_spin_again(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self || passes_as_step(self, site))
        return;
    const Loop *loop = end_of_iteration(self, site);
    if (!loop) {
        sennit_rt_spin_enter(site);
        return;
    }
    const SpinRead *reads = &self->spin->read[loop->first_read];
    uint32_t count = self->spin->reads - loop->first_read;
    bool weak = spin_reads_weak(reads, count), differ = spin_reads_differ(reads, count), pure = is_pure(self, loop);
    if (pure && weak)
        spin_reads_stop(reads, count, false);
    else if (pure && differ && !spin_reads_locked(reads, count))
        detour_end(spin_reads_one_place(reads, count));
    if (!count || weak || differ || !pure) {
        begin_iteration(self, site, __builtin_frame_address(0));
        return;
    }
    spin_reads_announce(reads, count);
    step_wait();
    spin_reads_renew();
    begin_iteration(self, site, __builtin_frame_address(0));
    step_done();
}

void sennit_rt_spin_retry(const SennitSite *site)
{
    Thread *self = rt.self;
    if (!self || passes_as_step(self, site))
        return;
    const Loop *loop = end_of_iteration(self, site);
    const SpinRead *reads = loop ? &self->spin->read[loop->first_read] : NULL;
    uint32_t count = loop ? self->spin->reads - loop->first_read : 0;
    if (loop && is_pure(self, loop) && !spin_reads_locked(reads, count))
        detour_end(spin_reads_one_place(reads, count));
    sennit_rt_spin_enter(site);
}

void sennit_rt_spin_leave(void)
{
    Thread *self = rt.self;
    if (!self || !(self->special & SPECIAL_SPIN))
        return;
    if (--self->spin->loops == 0)
        forget(self);
}
