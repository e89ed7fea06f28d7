/* lockpairs.c - see lockpairs.h */
#include "subject/c/lockpairs.h"

#include <string.h>

#include "report/json.h"
#include "rt/detect/held.h"

enum { MOST_HELD = 12, NAME_SIZE = 260 };

static uint32_t count_of(const LockPairs *pairs)
{
    uint32_t count = pairs->count;
    return count < LOCKPAIRS_MOST ? count : LOCKPAIRS_MOST;
}

static bool is_among(const LockPairs *pairs, uint32_t count, const LockPair *pair)
{
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&pairs->items[i], pair, sizeof *pair) == 0)
            return true;
    return false;
}

static void keep(LockPairs *pairs, const LockPair *pair)
{
    if (pairs->count >= LOCKPAIRS_MOST || is_among(pairs, count_of(pairs), pair))
        return;
    uint32_t place = pairs->count++;
    if (place < LOCKPAIRS_MOST)
        pairs->items[place] = *pair;
}

static void add_request(LockPairs *pairs, const Execution *ex, uint32_t position, AgentId agent, uint64_t lock,
                        uint64_t site)
{
    HeldLock locks[MOST_HELD];
    uint32_t count = lock ? held_locks(ex, position, agent, locks, MOST_HELD) : 0;
    for (uint32_t i = 0; i < count; i++) {
        LockPair pair;
        if (locks[i].resource == lock)
            continue;
        memset(&pair, 0, sizeof pair); /* also what lies between its members: pairs are compared as bytes */
        pair.held = locks[i].resource;
        pair.requested = lock;
        pair.held_site = locks[i].site;
        pair.site = site;
        pair.agent = agent;
        keep(pairs, &pair);
    }
}

void lockpairs_add(LockPairs *pairs, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        uint64_t lock = held_acquires(event->op, &ex->accesses[event->first_access], event->access_count);
        add_request(pairs, ex, i, event->agent, lock, event->site);
    }
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        const Blocked *blocked = &ex->blocked[i];
        uint64_t lock = held_acquires(blocked->op, &ex->accesses[blocked->first_access], blocked->access_count);
        add_request(pairs, ex, ex->event_count, blocked->agent, lock, blocked->site);
    }
}

/* ---- For run.json --------------------------------------------------------------------- */

static void add_lock(Json *json, const char *key, Program *program, uint64_t lock)
{
    char name[NAME_SIZE];
    program->ops->resource_name(program, lock, LANES_ALL, name, sizeof name);
    json_add_string(json, key, name);
}

static void add_place(Json *json, const char *key, Program *program, uint64_t site)
{
    Place place;
    if (!program->ops->place(program, site, &place) || !place.file)
        return;
    json_open_object(json, key);
    json_add_string(json, "file", place.file);
    json_add_count(json, "line", place.line);
    json_add_string(json, "function", place.function);
    json_close_object(json);
}

void lockpairs_write_json(const LockPairs *pairs, Program *program, Text *out)
{
    Json json = {.text = out, .first = true};
    char thread[NAME_SIZE];
    json_open_list(&json, NULL);
    for (uint32_t i = 0; i < count_of(pairs); i++) {
        const LockPair *pair = &pairs->items[i];
        if (!pair->held || !pair->requested || is_among(pairs, i, pair))
            continue;
        json_open_object(&json, NULL);
        add_lock(&json, "from", program, pair->held);
        add_lock(&json, "to", program, pair->requested);
        program->ops->agent_name(program, pair->agent, thread, sizeof thread);
        json_add_string(&json, "thread", thread);
        add_place(&json, "held", program, pair->held_site);
        add_place(&json, "requested", program, pair->site);
        json_close_object(&json);
    }
    json_close_list(&json);
}
