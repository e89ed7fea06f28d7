/* race_clock.c - see race_clock.h
 *
 * One vector clock per thread and one per object that was released into. The log is
 * evaluated in order; a row holds one number per agent of the execution.
 *
 * Release sequences are those of RC11 (Lahav et al., PLDI 2017): a release store, or one behind a release fence, heads
 * one; to it belong later stores of the same thread to the same object, and updates that read from a member. So a store
 * carries what its own thread has released into the object so far (`sent`), and an update adds that to what it read.
 * Under weak memory each message carries it, and a load synchronises with the one it reads.
 */
#include "rt/detect/race_clock.h"

#include <assert.h>
#include <sys/mman.h>

#include "rt/actors/actor.h"
#include "rt/detect/race.h"
#include "rt/kernel/object.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/weak/message.h"
#include "rt/weak/order.h"

RaceLog race_log;

typedef struct Row {
    uint32_t clock[RT_MAX_AGENTS];
    uint32_t colour[16]; /* the rows of all agents must not compete for the same cache lines */
} Row;

/* A thread's vector clocks: what happened before now; what relaxed loads read, which an acquire
 * fence joins; what happened before its last release fence. */
typedef struct Rows {
    Row now, seen, fenced;
    bool has_fenced;   /* there was one                                      */
} Rows;

/* What an agent has released into an object by its own stores and updates. */
typedef struct Sent {
    struct Sent *next;
    AgentId agent;
    uint32_t width;    /* numbers in `clock`                                 */
    uint32_t clock[];
} Sent;

/* What was released into an object: what an acquire load of its last store gets. */
typedef struct Released {
    Sent *sent;        /* by each agent, whatever other stores came since    */
    uint32_t width;    /* numbers in `clock`                                 */
    uint32_t clock[];
} Released;

static struct {
    Rows *rows;
    uint32_t width;    /* rows of agents below this are valid, and have this length */
    uint32_t done;     /* evaluated entries of the log                     */
    bool updates_acquire;
    bool lost;         /* the log was flushed: its start is missing        */
} clocks;

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

bool race_clock_init(Error *error)
{
    race_log.entries = reserve(RACE_LOG_CAPACITY * sizeof *race_log.entries);
    clocks.rows = reserve(RT_MAX_AGENTS * sizeof *clocks.rows);
    if (!race_log.entries || !clocks.rows)
        return error_set(error, EXIT_INTERNAL, "no address space for the race detector");
    return true;
}

void race_clock_reset(void)
{
    race_log.count = 0;
    clocks.done = 0;
    clocks.width = 0;
    clocks.updates_acquire = false;
    clocks.lost = false;
}

static void save_row(Row *row, RtImage *image) { image_add(image, row, clocks.width * sizeof row->clock[0]); }

bool race_clock_save(RtImage *image)
{
    image_add(image, &race_log.count, sizeof race_log.count);
    image_add(image, &clocks, sizeof clocks);
    for (uint32_t agent = 0; agent < clocks.width && !image_is_full(image); agent++) {
        Rows *rows = &clocks.rows[agent];
        save_row(&rows->now, image);
        save_row(&rows->seen, image);
        save_row(&rows->fenced, image);
        image_add(image, &rows->has_fenced, sizeof rows->has_fenced);
    }
    return !clocks.lost;
}

/* ---- Rows --------------------------------------------------------------------- */

static void clear_row(Row *row, uint32_t from, uint32_t to)
{
    memset(&row->clock[from], 0, (to - from) * sizeof row->clock[0]);
}

static void clear_rows(Rows *rows, uint32_t from, uint32_t to)
{
    clear_row(&rows->now, from, to);
    clear_row(&rows->seen, from, to);
    clear_row(&rows->fenced, from, to);
}

/* Makes room for agents that have appeared since. */
static void widen(uint32_t width)
{
    for (uint32_t agent = 0; agent < clocks.width; agent++)
        clear_rows(&clocks.rows[agent], clocks.width, width);
    for (uint32_t agent = clocks.width; agent < width; agent++) {
        clear_rows(&clocks.rows[agent], 0, width);
        clocks.rows[agent].has_fenced = false;
    }
    clocks.width = width;
}

static void join(uint32_t *into, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

/* ---- Objects --------------------------------------------------------------------- */

/* race_clock_ordered_by_updates has its own objects. */
static const void *key_of(uint64_t object)
{
    return (const void *)(uintptr_t)(object | (clocks.updates_acquire ? 3ull : 1ull) << 54);
}

static Released *find_released(uint64_t object) { return object_find(RES_OTHER, key_of(object)); }

static Released *get_released(uint64_t object)
{
    size_t size = sizeof(Released) + clocks.width * sizeof(uint32_t);
    const void *key = key_of(object);
    Released *released = object_find(RES_OTHER, key);
    if (!released) {
        released = object_state(RES_OTHER, key, size, NULL);
        released->width = clocks.width;
    }
    if (released->width < clocks.width) {
        Released *wider = (object_forget(RES_OTHER, key), object_state(RES_OTHER, key, size, NULL));
        wider->width = clocks.width;
        wider->sent = released->sent;
        memcpy(wider->clock, released->clock, released->width * sizeof(uint32_t));
        released = wider;
    }
    return released;
}

/* What a store or update of this order releases by itself; NULL: nothing. */
static const uint32_t *released_by(const Rows *rows, unsigned order)
{
    return order_releases(order) ? rows->now.clock : rows->has_fenced ? rows->fenced.clock : NULL;
}

static Sent **find_sent(Released *released, AgentId agent)
{
    Sent **place = &released->sent;
    while (*place && (*place)->agent != agent)
        place = &(*place)->next;
    return place;
}

/* Adds what the agent's store releases to what it has released into the object before; NULL: nothing at all. */
static const Sent *send(Released *released, const Rows *rows, const RaceEntry *entry)
{
    const uint32_t *new = released_by(rows, entry->order);
    Sent **place = find_sent(released, entry->agent), *sent = *place;
    if (!new)
        return sent;
    if (!sent || sent->width < clocks.width) {
        Sent *wider = transient_alloc(sizeof *wider + clocks.width * sizeof(uint32_t));
        *wider = (Sent){.next = sent ? sent->next : NULL, .agent = entry->agent, .width = clocks.width};
        if (sent)
            memcpy(wider->clock, sent->clock, sent->width * sizeof(uint32_t));
        *place = sent = wider;
    }
    join(sent->clock, new, clocks.width);
    return sent;
}

/* The released clocks will be computed again from the log. */
static void forget_released(void)
{
    for (uint32_t i = 0; i < race_log.count; i++)
        object_forget(RES_OTHER, key_of(race_log.entries[i].object));
}

/* ---- Entries of the log --------------------------------------------------------------- */

static void acquire(Rows *rows, unsigned order, const uint32_t *clock, uint32_t width)
{
    join(order_acquires(order) ? rows->now.clock : rows->seen.clock, clock, width);
}

static void apply_load(Rows *rows, const RaceEntry *entry)
{
    const Released *released = find_released(entry->object);
    if (released)
        acquire(rows, entry->order, released->clock, released->width);
}

static void apply_store(const Rows *rows, const RaceEntry *entry, bool updates)
{
    Released *released = get_released(entry->object);
    const Sent *sent = send(released, rows, entry);
    if (!updates)
        memset(released->clock, 0, released->width * sizeof(uint32_t));
    if (sent)
        join(released->clock, sent->clock, sent->width);
}

static void apply_release(const Rows *rows, const RaceEntry *entry)
{
    join(get_released(entry->object)->clock, rows->now.clock, clocks.width);
}

static uint32_t *joined(const uint32_t *a, uint32_t a_width, const uint32_t *b, uint32_t b_width)
{
    uint32_t *clock = transient_alloc(clocks.width * sizeof *clock);
    if (a)
        join(clock, a, a_width);
    if (b)
        join(clock, b, b_width);
    return clock;
}

static void apply_message_load(Rows *rows, const WeakMessage *message, unsigned order)
{
    if (message->released)
        acquire(rows, order, message->released, message->width);
}

static void apply_message(Rows *rows, WeakMessage *message, unsigned order)
{
    const WeakMessage *own = message->own, *read = message->read;
    if (read)
        apply_message_load(rows, read, order);
    const uint32_t *new = released_by(rows, order);
    message->width = clocks.width;
    if (new || (own && own->sent))
        message->sent = joined(new, clocks.width, own ? own->sent : NULL, own ? own->width : 0);
    message->released = message->sent;
    if (read && read->released)
        message->released = joined(message->sent, clocks.width, read->released, read->width);
}

static void apply_fence(Rows *rows, const RaceEntry *entry)
{
    if (order_acquires(entry->order))
        join(rows->now.clock, rows->seen.clock, clocks.width);
    if (!order_releases(entry->order))
        return;
    memcpy(rows->fenced.clock, rows->now.clock, clocks.width * sizeof rows->now.clock[0]);
    rows->has_fenced = true;
}

static void apply(const RaceEntry *entry)
{
    Rows *rows = &clocks.rows[entry->agent];
    rows->now.clock[entry->agent] = entry->clock;
    switch ((RaceOp)entry->op) {
    case LOG_LOAD: apply_load(rows, entry); break;
    case LOG_STORE: apply_store(rows, entry, false); break;
    case LOG_RMW:
        apply_load(rows, entry);
        apply_store(rows, entry, true);
        break;
    case LOG_UPDATE:
        if (clocks.updates_acquire)
            apply_load(rows, entry);
        apply_store(rows, entry, true);
        break;
    case LOG_FENCE: apply_fence(rows, entry); break;
    case LOG_MESSAGE_LOAD: apply_message_load(rows, (const WeakMessage *)(uintptr_t)entry->object, entry->order); break;
    case LOG_MESSAGE: apply_message(rows, (WeakMessage *)(uintptr_t)entry->object, entry->order); break;
    case LOG_RELEASE: apply_release(rows, entry); break;
    case LOG_ACQUIRE: apply_load(rows, entry); break;
    case LOG_CREATE: join(clocks.rows[entry->object].now.clock, rows->now.clock, clocks.width); break;
    }
}

static void evaluate(void)
{
    if (clocks.width < rt.ex->agent_count)
        widen(rt.ex->agent_count);
    while (clocks.done < race_log.count)
        apply(&race_log.entries[clocks.done++]);
}

void race_log_flush(void)
{
    evaluate();
    race_log.count = clocks.done = 0;
    clocks.lost = true;
    image_void_all();
}

/* ---- Queries ----------------------------------------------------------------------------- */

/* Threads created before the step count in the clock too. */
uint32_t race_clock_of(AgentId agent, uint32_t step)
{
    uint32_t children = thread_get(agent)->clock_base;
    for (AgentId id = 0; id < rt.ex->agent_count; id++)
        children += rt.ex->agents[id].creator == agent && rt.ex->agents[id].creator_step + 1 <= step;
    return 2 * (step + 1 + children);
}

uint32_t race_steps_at(AgentId agent, uint32_t clock)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        if (event->agent == agent && race_clock_of(agent, event->index) <= clock)
            steps = event->index + 1;
    }
    return steps;
}

static uint32_t creation_clock(AgentId child)
{
    return 2 * (rt.ex->agents[child].creator_step + 1 + rt.ex->agents[child].nth);
}

/* Was the record made before one of the running thread's ancestors created the next one? */
static bool before_creation(AgentId agent, uint32_t clock)
{
    const Agent *agents = rt.ex->agents;
    for (AgentId id = rt.self->id; agents[id].creator != AGENT_NONE; id = agents[id].creator)
        if (thread_get(agents[id].creator)->strand == agent)
            return clock <= creation_clock(id);
    return false;
}

bool race_ordered(AgentId agent, uint32_t clock)
{
    AgentId self = rt.self->strand;
    const Actor *actor = thread_get(agent)->actor;
    if (agent == self || (actor && actor->quiet_for == self && clock <= actor->quiet_clock) ||
        before_creation(agent, clock))
        return true;
    if (self < clocks.width && agent < clocks.width && clocks.rows[self].now.clock[agent] >= clock)
        return true;
    evaluate();
    return clocks.rows[self].now.clock[agent] >= clock;
}

bool race_clock_has_updates(void)
{
    for (uint32_t i = 0; i < race_log.count; i++)
        if (race_log.entries[i].op == LOG_UPDATE && order_acquires(race_log.entries[i].order))
            return !clocks.lost;
    return false;
}

/* Evaluates the log once more from its start, then discards the result. */
bool race_clock_ordered_by_updates(AgentId agent, uint32_t clock)
{
    clocks.updates_acquire = true;
    clocks.done = clocks.width = 0;
    evaluate();
    bool ordered = clocks.rows[rt.self->strand].now.clock[agent] >= clock;
    forget_released();
    clocks.updates_acquire = false;
    forget_released();
    clocks.done = clocks.width = 0;
    return ordered;
}

/* ---- For primitives ----------------------------------------------------------------------- */

void race_log_create(AgentId child) { race_log_add(LOG_CREATE, child, C_SEQ_CST); }

/* Below the bits that key_of uses. */
static uint64_t point_of(uint64_t resource)
{
    uint64_t hash = (resource ^ resource >> 29) * 0xbf58476d1ce4e5b9ull;
    return (hash ^ hash >> 32) & ((1ull << 54) - 1);
}

static void log_point(RaceOp op, uint64_t resource, uint32_t order)
{
    if (rt.self)
        race_log_add(op, point_of(resource), order);
}

static void synchronise(RaceOp op, uint64_t resource, uint32_t order, Order told)
{
    log_point(op, resource, order);
    if (LIKELY(!rt.self || !(rt.self->special & SPECIAL_WEAK)))
        return;
    assert(rt.self->has_event && step_event()->agent == rt.self->id);
    step_touch(resource_make(RES_SYNC, point_of(resource)), MODE_NONE)->order = (uint8_t)told;
}

void race_log_release(uint64_t resource) { log_point(LOG_RELEASE, resource, C_RELEASE); }
void race_log_acquire(uint64_t resource) { log_point(LOG_ACQUIRE, resource, C_ACQUIRE); }
void race_release(uint64_t resource) { synchronise(LOG_RELEASE, resource, C_RELEASE, ORDER_RELEASE); }
void race_acquire(uint64_t resource) { synchronise(LOG_ACQUIRE, resource, C_ACQUIRE, ORDER_ACQUIRE); }
