/* sync.c - see sync.h */
#include "rt/sync/sync.h"

#include <string.h>

#include "rt/kernel/layout.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/spin/changes.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"

void sync_check_room(const void *object, size_t room)
{
    uint64_t address = address_of(object);
    if (rt.self && UNLIKELY(!memory_is_open(address + room - 1, 1)))
        memory_check(address, room, true);
}

void sync_write(void *word, uint32_t value)
{
    globals_note_write(address_of(word), sizeof value);
    memcpy(word, &value, sizeof value);
}

/* Whether the object is known is no part of a state, nor is its use, which the announced operation tells. */
static void note_use_in_state(const void *object)
{
    Fingerprint segment = rt.self->segment;
    plain_use(object, 1);
    rt.self->segment = segment;
}

void sync_note_use(const void *object, uint64_t *users)
{
    AgentId self = thread_self();
    uint64_t bit = self < 64 ? 1ull << self : 0;
    if (rt.options.states && rt.self) {
        note_use_in_state(object);
        return;
    }
    if ((*users & bit) && !in_heaps(address_of(object)))
        return;
    *users |= bit;
    plain_use(object, 1);
}

uint32_t agent_table_get(const AgentTable *table, AgentId agent)
{
    return agent < table->capacity ? table->values[agent] : 0;
}

uint32_t *agent_table_at(AgentTable *table, AgentId agent)
{
    if (agent >= table->capacity) {
        uint32_t capacity = (agent + 8) & ~7u;
        uint32_t *values = transient_alloc(capacity * sizeof *values);
        for (uint32_t i = 0; i < table->capacity; i++)
            values[i] = table->values[i];
        *table = (AgentTable){.values = values, .capacity = capacity};
    }
    return &table->values[agent];
}

/* ---- Timed operations ---------------------------------------------------- */

bool sync_may_time_out(void)
{
    return lifetime_self()->timeouts < rt.options.max_timeouts;
}

int sync_time_out(const struct timespec *deadline)
{
    if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000)
        return EINVAL;
    lifetime_self()->timeouts++;
    changes_gap();
    vtime_reach(deadline);
    return ETIMEDOUT;
}

void sync_time_out_after(int64_t nanoseconds)
{
    lifetime_self()->timeouts++;
    sennit_rt_noise = 1; /* no step shows it */
    changes_gap();
    vtime_pass(nanoseconds);
}

bool sync_may_wake_spuriously(void)
{
    enum { MOST = 2 };
    if (!rt.options.spurious)
        return false;
    if (lifetime_self()->spurious < MOST)
        return true;
    execution_cut(rt.ex, CUT_SPURIOUS);
    return false;
}

void sync_wait_past_bound(bool begin)
{
    ThreadRecord *self = lifetime_self();
    if (self->waits_past_bound == begin)
        return;
    self->waits_past_bound = begin;
    rt.waits_past_bound += begin ? 1 : -1u;
    if (begin)
        execution_cut(rt.ex, CUT_TIMEOUTS);
}

bool sync_waits_past_bound(AgentId agent)
{
    const ThreadRecord *thread = *thread_slot(agent);
    return thread && thread->waits_past_bound;
}
