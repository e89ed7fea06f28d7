/* repeat.c - see repeat.h
 *
 * The state is compared with that of one earlier back edge, the anchor, which moves on: with every iteration at first,
 * then at growing distances, so that cycles of many iterations are found too (Brent's algorithm).
 */
#include "rt/spin/repeat.h"

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/layout.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/word.h"
#include "rt/sync/plain.h"
#include "rt/spin/changes.h"
#include "rt/spin/revisit.h"
#include "rt/spin/spin_pass.h"
#include "rt/spin/spin_reads.h"

enum {
    MAX_OBSERVED = 4,    /* loops, nested                                                    */
    MAX_REPEAT_READS = 96,
    MAX_REPEAT_WRITES = 24,
    FIRST_ROOM = 4,
    MAX_STATE = 16384,   /* bytes of a frame                                                 */
    SINGLE = 8,          /* iterations compared with the one before                          */
    FIRST_DISTANCE = 16, /* then the distance to the anchor                                  */
    PATIENCE = 512,      /* iterations without a repetition; then of each WINDOW + PAUSE only */
    WINDOW = 4,          /* the first are observed                                           */
    PAUSE = 28
};

/* Plain memory that the iterations have written, with its first value. */
typedef struct RepeatWrite {
    uint64_t address;
    uint64_t value;
    unsigned size;
} RepeatWrite;

/* A loop the thread is in, observed since the anchor. */
typedef struct RepeatLoop {
    const SennitSite *site;
    uint64_t begin;      /* of its frame and the registers                       */
    bool clean;          /* nothing was changed since the anchor                 */
    uint32_t iterations; /* since the anchor                                     */
    uint32_t distance;   /* after so many the anchor moves                       */
    uint32_t fruitless;  /* iterations in a row without a repetition             */
    uint32_t pause;      /* iterations that are not observed                     */
    uint32_t reads, read_room;
    uint32_t writes, write_room;
    uint32_t size, room; /* of `state`                                           */
    int error;           /* errno                                                */
    unsigned char *state;
    RepeatWrite *write;
    SpinRead *read;
} RepeatLoop;

struct Repeat {
    uint32_t count;
    uint32_t absorbed;               /* events up to here are recorded */
    const RepeatLoop *waits;         /* the thread waits in it         */
    RepeatLoop *loop[MAX_OBSERVED];  /* innermost last                 */
};

/* ---- Which loops are observed ---------------------------------------------------------- */

static void set_observed(Thread *self, bool observed)
{
    self->special = (uint16_t)(observed ? self->special | SPECIAL_REPEAT : self->special & ~SPECIAL_REPEAT);
    self->plain_slow = (uint8_t)(observed ? self->plain_slow | SLOW_REPEAT : self->plain_slow & ~SLOW_REPEAT);
}

static bool any_is_clean(const Repeat *repeat)
{
    for (uint32_t i = 0; i < repeat->count; i++)
        if (repeat->loop[i]->clean)
            return true;
    return false;
}

/* The thread has changed something. */
static void disturb(Thread *self)
{
    for (uint32_t i = 0; i < self->repeat->count; i++)
        self->repeat->loop[i]->clean = false;
    set_observed(self, false);
}

/* Functions of deeper frames have returned. */
static void leave_frames(Repeat *repeat, uint64_t begin)
{
    while (repeat->count && repeat->loop[repeat->count - 1]->begin < begin)
        repeat->count--;
}

static RepeatLoop *add_loop(Repeat *repeat, const SennitSite *site, uint64_t begin)
{
    if (repeat->count == MAX_OBSERVED) {
        RepeatLoop *outermost = repeat->loop[0];
        memmove(&repeat->loop[0], &repeat->loop[1], (MAX_OBSERVED - 1) * sizeof repeat->loop[0]);
        repeat->loop[--repeat->count] = outermost;
    }
    RepeatLoop *loop = repeat->loop[repeat->count];
    if (!loop)
        loop = repeat->loop[repeat->count] = transient_alloc(sizeof *loop);
    repeat->count++;
    *loop = (RepeatLoop){.site = site,
                         .begin = begin,
                         .state = loop->state,
                         .room = loop->room,
                         .read = loop->read,
                         .read_room = loop->read_room,
                         .write = loop->write,
                         .write_room = loop->write_room};
    return loop;
}

/* The loop whose back edge this is; loops inside it have ended. */
static RepeatLoop *enter_loop(Repeat *repeat, const SennitSite *site, uint64_t begin)
{
    leave_frames(repeat, begin);
    for (uint32_t i = repeat->count; i-- > 0;)
        if (repeat->loop[i]->site == site && repeat->loop[i]->begin == begin) {
            repeat->count = i + 1;
            return repeat->loop[i];
        }
    return add_loop(repeat, site, begin);
}

/* ---- What the iterations do ------------------------------------------------------------------ */

/* What the hook saves below the frame: registers and the return address. */
#if defined(__x86_64__)
enum { HOOK_SIZE = 56 };
#else
enum { HOOK_SIZE = 160 };
#endif

/* A variable of a function that an iteration has called: the next iteration starts without it. */
static bool is_below(const Thread *self, const RepeatLoop *loop, uint64_t address)
{
    return address < loop->begin + HOOK_SIZE && address >= stack_bottom(self->seat);
}

/* errno is compared by itself: the runtime's own stores of it are not seen. */
static bool is_errno(uint64_t address, uint64_t size)
{
    return address == address_of(rt.errno_location) && size == sizeof *rt.errno_location;
}

/* Room for one more; most loops need little. */
static void *grown(void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : FIRST_ROOM;
    void *bigger = transient_alloc(*room * size);
    if (count) {
        memcpy(bigger, items, count * size);
        memset(items, 0, count * size); /* see repeat_forget */
    }
    return bigger;
}

/* If a location had two values there is nothing to wait for. */
static void add_read(RepeatLoop *loop, SpinRead seen)
{
    for (uint32_t i = loop->reads; i-- > 0;) {
        SpinRead *same = &loop->read[i];
        if (same->resource != seen.resource || same->lanes != seen.lanes)
            continue;
        spin_reads_merge(same, &seen);
        loop->clean &= same->value == seen.value;
        return;
    }
    if (loop->reads == MAX_REPEAT_READS) {
        loop->clean = false;
        return;
    }
    loop->read = grown(loop->read, loop->reads, &loop->read_room, sizeof *loop->read);
    loop->read[loop->reads++] = seen;
}

/* Under weak memory: has the thread written it itself since the anchor? Then it knows what it reads, and has the first
 * value back when the state repeats. (Under SC such loops are recognised by the state of the program, revisit.h.) */
static bool is_own(const RepeatLoop *loop, const SpinRead *seen)
{
    for (uint32_t i = 0; seen->plain && rt.ex->memory != MEMORY_SC && i < loop->writes; i++) {
        Word word = word_first(loop->write[i].address, loop->write[i].size);
        if (word_resource(word.address) == seen->resource && word.lanes == seen->lanes)
            return true;
    }
    return false;
}

static void watch(Thread *self, SpinRead seen)
{
    SpinRead reads[3];
    uint32_t count = spin_reads_expand(seen, reads);
    for (uint32_t l = 0; l < self->repeat->count; l++) {
        RepeatLoop *loop = self->repeat->loop[l];
        bool skips = is_own(loop, &seen) ||
                     (seen.resource >> 56 == RES_MEMORY && is_below(self, loop, word_address(seen.resource)));
        for (uint32_t i = 0; i < count && loop->clean && !skips; i++)
            add_read(loop, reads[i]);
    }
}

/* Is the access to a variable of a function that has returned in every loop? */
static bool is_below_all(const Thread *self, const Access *access)
{
    const Repeat *repeat = self->repeat;
    return access->resource >> 56 == RES_MEMORY && repeat->count &&
           is_below(self, repeat->loop[repeat->count - 1], word_address(access->resource));
}

/* Is the value of such a resource all that can be seen of it? Then a write that leaves it as it was is none: a read
 * from a pipe or a socket that finds nothing. */
static bool is_all_value(uint64_t resource)
{
    switch (resource >> 56) {
    case RES_PIPE: case RES_FLOW: case RES_SEGMENT: case RES_SOCKET: return true;
    default: return false;
    }
}

static bool changes(const Access *access)
{
    bool known = access->resource >> 56 == RES_MEMORY || (access->mode == MODE_WRITE && is_all_value(access->resource));
    return known ? spin_reads_changed(access) : access->mode != MODE_READ && access->mode != MODE_NONE;
}

static bool is_harmless(const Thread *self, const Event *event)
{
    const Access *first = &rt.ex->accesses[event->first_access];
    bool weak = event->access_count && first->order != ORDER_STRONG && first->mode != MODE_NONE;
    if (self->section_depth || event->choice_count > weak || event->flags & EVENT_QUIET)
        return false;
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (changes(access) && !is_below_all(self, access))
            return false;
    }
    return true;
}

void repeat_absorb(Thread *self)
{
    Repeat *repeat = self->repeat;
    if (!self->has_event || self->last_event < repeat->absorbed)
        return;
    repeat->absorbed = self->last_event + 1;
    const Event *event = &rt.ex->events[self->last_event];
    if (!is_harmless(self, event)) {
        disturb(self);
        return;
    }
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (!access->companion && access->mode != MODE_NONE)
            watch(self, (SpinRead){.resource = access->resource,
                                   .lanes = access->lanes,
                                   .guards = true,
                                   .weak = access->order != ORDER_STRONG,
                                   .value = access->before});
    }
}

void repeat_read(Thread *self, uint64_t address, uint64_t size)
{
    for (Word word; size; address += word.size, size -= word.size) {
        word = word_first(address, size);
        watch(self, (SpinRead){.resource = word_resource(word.address),
                               .lanes = word.lanes,
                               .guards = true,
                               .plain = true,
                               .value = (int64_t)word_load(word.address, word.size)});
    }
}

static void add_write(RepeatLoop *loop, Word word)
{
    for (uint32_t i = 0; i < loop->writes; i++)
        if (loop->write[i].address == word.address && loop->write[i].size == word.size)
            return;
    if (loop->writes == MAX_REPEAT_WRITES) {
        loop->clean = false;
        return;
    }
    loop->write = grown(loop->write, loop->writes, &loop->write_room, sizeof *loop->write);
    loop->write[loop->writes++] = (RepeatWrite){word.address, word_load(word.address, word.size), word.size};
}

void repeat_write(Thread *self, uint64_t address, uint64_t size)
{
    for (uint32_t l = 0; l < self->repeat->count; l++) {
        RepeatLoop *loop = self->repeat->loop[l];
        uint64_t at = address, left = size;
        if (is_errno(address, size) || (is_below(self, loop, address) && is_below(self, loop, address + size - 1)))
            continue;
        for (Word word; left && loop->clean; at += word.size, left -= word.size) {
            word = word_first(at, left);
            add_write(loop, word);
        }
    }
}

static bool writes_are_restored(const RepeatLoop *loop)
{
    for (uint32_t i = 0; i < loop->writes; i++)
        if (word_load(loop->write[i].address, loop->write[i].size) != loop->write[i].value)
            return false;
    return true;
}

/* ---- The state of the thread -------------------------------------------------------------------- */

/* The frame's end: behind the frame pointer and the return address, which is the caller's memory. */
static uint64_t frame_end(const uint64_t *registers)
{
#if defined(__x86_64__)
    return registers[5] + 16;
#else
    return registers[0] + 16;
#endif
}

static uint32_t state_size(const Thread *self, const uint64_t *registers)
{
    uint64_t begin = address_of(registers), end = frame_end(registers);
    bool known = begin >= stack_bottom(self->seat) && end > begin && end - begin <= MAX_STATE;
    return known ? (uint32_t)(end - begin) : 0;
}

static bool is_same_state(const RepeatLoop *loop, const uint64_t *registers, uint32_t size)
{
    return loop->size == size && loop->error == *rt.errno_location && memcmp(loop->state, registers, size) == 0;
}

static void anchor(RepeatLoop *loop, const uint64_t *registers, uint32_t size)
{
    loop->clean = size > 0;
    loop->iterations = loop->reads = loop->writes = 0;
    loop->error = *rt.errno_location;
    loop->size = size;
    if (size > loop->room) {
        if (loop->room)
            memset(loop->state, 0, loop->room); /* see repeat_forget */
        loop->room = size * 2;
        loop->state = transient_alloc(loop->room);
    }
    memcpy(loop->state, registers, size);
}

/* ---- Iterations ---------------------------------------------------------------------------------- */

/* Do the frame, or the words that were written, hold symbolic values? Then equal values prove nothing: for other inputs
 * of the same path they may differ. */
static bool has_symbolic_state(const RepeatLoop *loop)
{
    if (LIKELY(!tracking.on) || !shadow_memory_used())
        return false;
    for (uint64_t at = loop->begin; at < loop->begin + loop->size; at += 8)
        if (shadow_memory_touched(at))
            return true;
    for (uint32_t i = 0; i < loop->writes; i++)
        if (shadow_memory_touched(loop->write[i].address))
            return true;
    return false;
}

/* Will the iterations since the anchor repeat? */
static bool repeats(const RepeatLoop *loop, const uint64_t *registers, uint32_t size)
{
    return loop->clean && is_same_state(loop, registers, size) && spin_reads_in_steps(loop->read, loop->reads) &&
           writes_are_restored(loop) && !has_symbolic_state(loop);
}

/* The anchor moves if it is of no use, or has been there for long. */
static void move_anchor(RepeatLoop *loop, const uint64_t *registers, uint32_t size)
{
    bool useless = !loop->clean;
    loop->iterations++;
    if (++loop->fruitless > PATIENCE && loop->fruitless % WINDOW == 0) {
        loop->pause = PAUSE;
        loop->clean = false;
        return;
    }
    if (!useless && loop->iterations < loop->distance)
        return;
    if (loop->fruitless <= SINGLE)
        loop->distance = 1;
    else if (!useless)
        loop->distance = loop->distance < FIRST_DISTANCE ? FIRST_DISTANCE : 2 * loop->distance;
    anchor(loop, registers, size);
}

static void wait_for_change(Thread *self, RepeatLoop *loop, const uint64_t *registers, uint32_t size)
{
    uint32_t cycle = loop->iterations + 1;
    spin_reads_announce(loop->read, loop->reads);
    self->repeat->waits = loop;
    step_wait();
    self->repeat->waits = NULL;
    spin_reads_renew();
    disturb(self);
    loop->distance = cycle;
    loop->fruitless = 0;
    anchor(loop, registers, size);
    set_observed(self, true);
    self->repeat->absorbed = self->last_event + 1;
    step_done();
}

void repeat_iteration(const SennitSite *site, const uint64_t *registers)
{
    Thread *self = rt.self;
    if (!self)
        return;
    if (UNLIKELY(rt.options.states)) {
        sennit_rt_site = site;
        spin_pass(self, registers);
        return;
    }
    thread_need_clear(thread_stack_depth(self, registers));
    if (!self->repeat)
        self->repeat = transient_alloc(sizeof *self->repeat);
    if (sennit_rt_noise) {
        sennit_rt_noise = 0;
        disturb(self);
        changes_gap();
    }
    if (self->special & SPECIAL_STORE)
        plain_settle(self);
    if (self->special & SPECIAL_REPEAT)
        repeat_absorb(self);
    RepeatLoop *loop = enter_loop(self->repeat, site, address_of(registers));
    if (loop->pause && loop->pause--)
        return;
    sennit_rt_site = site;
    uint32_t size = state_size(self, registers);
    bool repeated = repeats(loop, registers, size), weak = spin_reads_weak(loop->read, loop->reads);
    if (repeated && weak)
        spin_reads_stop(loop->read, loop->reads, loop->writes > 0);
    if (repeated && !weak) {
        wait_for_change(self, loop, registers, size);
        return;
    }
    move_anchor(loop, registers, size);
    self->repeat->absorbed = self->has_event ? self->last_event + 1 : 0;
    set_observed(self, any_is_clean(self->repeat));
    if (!(self->special & SPECIAL_WEAK)) /* (SPIN-20) */
        revisit_iteration(site, registers);
}

void repeat_forget(const Thread *thread)
{
    for (uint32_t i = 0; thread->repeat && i < MAX_OBSERVED; i++) {
        RepeatLoop *loop = thread->repeat->loop[i];
        if (!loop)
            continue;
        if (loop->room)
            memset(loop->state, 0, loop->room);
        if (loop->read_room)
            memset(loop->read, 0, loop->read_room * sizeof *loop->read);
        if (loop->write_room)
            memset(loop->write, 0, loop->write_room * sizeof *loop->write);
    }
}

bool repeat_waits(const Thread *thread) { return thread->repeat && thread->repeat->waits; }

bool repeat_misses_race(const Thread *thread)
{
    return repeat_waits(thread) && spin_reads_race(thread->repeat->waits->read, thread->repeat->waits->reads);
}
