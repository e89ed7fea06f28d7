/* changes.c - see changes.h */
#include "rt/spin/changes.h"

#include <sys/mman.h>

#include "base/mem.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/transient.h"
#include "rt/memory/word.h"

enum { FIRST_ROOM = 4, MAX_WRITES = 64 }; /* words of plain memory written in one step */

/* Plain memory that the newest step writes, with the value before. */
typedef struct OpenWrite {
    uint64_t value;
    Word word;
} OpenWrite;

struct Changes {
    ChangeState state;
    uint32_t absorbed; /* events up to here are in the sum */
    uint32_t children; /* threads it had created           */
    uint32_t gaps;
    uint32_t writes, room;
    OpenWrite *write;
};

/* A state that belongs to an event of one execution. */
typedef struct After {
    uint32_t execution;
    ChangeState state;
} After;

static After *after; /* per event */

static void get_ready(void)
{
    size_t size = (size_t)EXECUTION_MAX_EVENTS * sizeof *after;
    if (LIKELY(after))
        return;
    after = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (after == MAP_FAILED)
        mem_exhausted(size);
}

/* ---- Sums ----------------------------------------------------------------------------- */

static ChangeSum change_of(uint64_t name, unsigned shift, ChangeSum difference)
{
    return (difference << shift) * (ChangeSum)(changes_mix(name, 1) | 1);
}

/* Copies of values are no references, see leak.c. */
static void forget_writes(Changes *changes)
{
    if (changes->writes)
        memset(changes->write, 0, changes->writes * sizeof *changes->write);
    changes->writes = 0;
}

/* What is not known in detail makes the state different from all others. */
static void add_gap(Thread *self)
{
    Changes *changes = self->changes;
    uint64_t name = changes_mix(self->id, ++changes->gaps);
    changes->state.sum += change_of(name, 0, changes_mix(name, 3));
    forget_writes(changes); /* the memory may not be there any more */
}

/* The value of such a resource is all of its state, or a number that grows with each change. */
static bool is_known(uint64_t resource)
{
    switch (resource >> 56) {
    case RES_MEMORY: case RES_LOCK: case RES_RWLOCK: case RES_SEM: case RES_WRITERS: return true;
    case RES_DESCRIPTOR: case RES_FILE: case RES_NAME: return true;
    default: return false;
    }
}

bool changes_ignore(uint64_t resource) { return resource >> 56 == RES_RELEASES || stamp_is_resource(resource); }

static unsigned shift_of(const Access *access)
{
    return access->resource >> 56 == RES_MEMORY ? 8 * (unsigned)__builtin_ctz(access->lanes) : 0;
}

/* Was the location accessed before in the same step? Then the values of the two overlap. */
static bool is_second(const Event *event, unsigned nth)
{
    const Access *access = &rt.ex->accesses[event->first_access + nth];
    for (unsigned i = 0; i < nth; i++) {
        const Access *other = &rt.ex->accesses[event->first_access + i];
        if (other->resource == access->resource && other->lanes & access->lanes && other->mode != MODE_READ)
            return true;
    }
    return false;
}

/* Of an update that commutes with others only the difference follows from the thread's past: -1 also if the value was
 * 0 and is not negative in memory. */
static int64_t difference_of_update(const Access *access)
{
    unsigned unused = access->resource >> 56 == RES_MEMORY ? 64 - 8 * (unsigned)__builtin_popcount(access->lanes) : 0;
    return (int64_t)((uint64_t)(access->after - access->before) << unused) >> unused;
}

static void add_access(Thread *self, const Event *event, unsigned nth)
{
    const Access *access = &rt.ex->accesses[event->first_access + nth];
    Changes *changes = self->changes;
    if (changes_ignore(access->resource))
        return;
    bool fixed = access->mode == MODE_READ || access->mode == MODE_WRITE;
    ChangeSum difference = fixed ? (ChangeSum)(uint64_t)access->after - (uint64_t)access->before
                           : (ChangeSum)difference_of_update(access);
    uint64_t what = changes_mix(access->resource, (uint64_t)access->mode << 8 | access->lanes);
    uint64_t values = changes_mix(fixed ? (uint64_t)access->before : 0, (uint64_t)difference);
    changes->state.local = changes_mix(changes_mix(changes->state.local, what), values);
    if (access->mode == MODE_READ || access->mode == MODE_NONE)
        return;
    if (!is_known(access->resource) || is_second(event, nth) || access->mode > MODE_WRITE)
        add_gap(self);
    else
        changes->state.sum += change_of(access->resource, shift_of(access), difference);
}

static void add_event(Thread *self, const Event *event)
{
    self->changes->state.local = changes_mix(changes_mix(self->changes->state.local, event->op), event->site);
    if (event->choice_count)
        add_gap(self);
    for (unsigned i = 0; i < event->access_count; i++)
        add_access(self, event, i);
}

/* ---- What a thread does ------------------------------------------------------------------ */

static void set_observed(Thread *self, bool observed)
{
    self->special = (uint16_t)(observed ? self->special | SPECIAL_CHANGES : self->special & ~SPECIAL_CHANGES);
    self->plain_slow = (uint8_t)(observed ? self->plain_slow | SLOW_CHANGES : self->plain_slow & ~SLOW_CHANGES);
}

void changes_begin(Thread *self)
{
    get_ready();
    if (!self->changes)
        self->changes = transient_alloc(sizeof *self->changes);
    self->changes->absorbed = self->has_event ? self->last_event + 1 : 0;
    self->changes->children = self->children;
    add_gap(self);
    set_observed(self, true);
}

void changes_stop(Thread *self) { set_observed(self, false); }

void changes_read(Thread *self) { self->changes->state.accesses++; }

static bool overlap(Word a, Word b) { return a.address < b.address + b.size && b.address < a.address + a.size; }

static void add_write(Changes *changes, OpenWrite write)
{
    if (changes->writes == changes->room) {
        uint32_t count = changes->writes, room = count ? 2 * count : FIRST_ROOM;
        OpenWrite *bigger = transient_alloc(room * sizeof *bigger);
        if (count)
            memcpy(bigger, changes->write, count * sizeof *bigger);
        forget_writes(changes);
        changes->write = bigger;
        changes->writes = count;
        changes->room = room;
    }
    changes->write[changes->writes++] = write;
}

/* Before the word is written. */
static void open_write(Thread *self, Word word)
{
    Changes *changes = self->changes;
    for (uint32_t i = 0; i < changes->writes; i++) {
        Word other = changes->write[i].word;
        if (other.address == word.address && other.size == word.size)
            return;
        if (overlap(other, word)) {
            add_gap(self);
            return;
        }
    }
    if (changes->writes == MAX_WRITES)
        add_gap(self);
    else
        add_write(changes, (OpenWrite){word_load(word.address, word.size), word});
}

void changes_write(Thread *self, uint64_t address, uint64_t size)
{
    self->changes->state.accesses++;
    if (size > 8ull * MAX_WRITES) {
        add_gap(self);
        return;
    }
    for (Word word; size; address += word.size, size -= word.size) {
        word = word_first(address, size);
        open_write(self, word);
    }
}

static void settle_writes(Thread *self)
{
    Changes *changes = self->changes;
    if (sennit_rt_noise)
        add_gap(self);
    for (uint32_t i = 0; i < changes->writes; i++) {
        const OpenWrite *write = &changes->write[i];
        uint64_t now = word_load(write->word.address, write->word.size);
        changes->state.sum += change_of(word_resource(write->word.address), 8 * (unsigned)(write->word.address & 7),
                                  (ChangeSum)now - write->value);
    }
    forget_writes(changes);
}

/* Brings the sum up to date. */
static void settle(Thread *self)
{
    Changes *changes = self->changes;
    if (self->has_event && self->last_event >= changes->absorbed) {
        add_event(self, &rt.ex->events[self->last_event]);
        changes->absorbed = self->last_event + 1;
    }
    settle_writes(self);
    if (changes->children != self->children)
        add_gap(self);
    changes->children = self->children;
}

void changes_absorb(Thread *self)
{
    if (self->section_depth)
        return;
    settle(self);
    if (self->has_event)
        after[self->last_event] = (After){rt.execution, self->changes->state};
}

void changes_count(uint64_t name, int64_t change)
{
    if (rt.self && rt.self->special & SPECIAL_CHANGES)
        rt.self->changes->state.sum += change_of(changes_mix(name, 2), 0, (ChangeSum)change);
}

void changes_gap(void)
{
    if (rt.self && rt.self->special & SPECIAL_CHANGES)
        add_gap(rt.self);
}

ChangeState changes_arrive(Thread *self, uint64_t local)
{
    settle(self);
    self->changes->state.local = local;
    return self->changes->state;
}

void changes_forget(uint32_t first, uint32_t end)
{
    for (uint32_t event = first; after && event < end; event++)
        after[event].execution = 0;
}

const ChangeState *changes_after(uint32_t event)
{
    return after[event].execution == rt.execution ? &after[event].state : NULL;
}
