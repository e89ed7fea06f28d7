/* held.c - see held.h */
#include "rt/detect/held.h"

#include "rt/actors/actor_mail.h"
#include "rt/file/file_point.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/runtime.h"

/* A stream counts its uses above the owner of its lock. */
static int64_t stream_holder(int64_t value) { return value & (int64_t)FILE_VALUE_MASK; }

AgentId held_owner(uint64_t resource, int64_t value)
{
    uint64_t kind = resource >> 56;
    if (kind == RES_DESCRIPTOR)
        value = stream_holder(value);
    if ((kind == RES_LOCK || kind == RES_DESCRIPTOR) && value > 0)
        return (AgentId)(value - 1);
    if (kind == RES_RWLOCK && value >= RWLOCK_WRITER_MIN)
        return (AgentId)((value >> 32) - 1);
    if (kind == RES_END && !value)
        return (AgentId)(resource & 0xffffffffu);
    return AGENT_NONE;
}

/* How an access of the agent changed its hold on a lock: +1 acquired, -1 released, 0 neither. */
static int change_of(const Access *access, AgentId agent, bool *shared)
{
    uint64_t kind = access->resource >> 56;
    *shared = false;
    if (access->mode == MODE_READ || access->before == access->after)
        return 0;
    if (kind == RES_DESCRIPTOR)
        return stream_holder(access->after) == agent + 1 ? stream_holder(access->before) != agent + 1
               : stream_holder(access->before) == agent + 1 ? -1 : 0;
    if (kind == RES_LOCK)
        return access->after == (int64_t)agent + 1 ? 1 : access->before == (int64_t)agent + 1 ? -1 : 0;
    if (kind != RES_RWLOCK)
        return 0;
    if (access->after == rwlock_writer(agent) || access->before == rwlock_writer(agent))
        return access->after == rwlock_writer(agent) ? 1 : -1;
    *shared = true;
    return access->after > access->before ? 1 : -1;
}

/* The owner of the locks that the agent acquires: itself or, for a message, the actor that handles it. */
static AgentId owner_of(const Execution *ex, AgentId agent)
{
    Mail mail;
    return actor_mail_of(ex, agent, &mail) ? mail.receiver : agent;
}

bool held_shared(const Execution *ex, uint32_t position, AgentId agent, uint64_t resource)
{
    int count = 0;
    for (uint32_t e = 0; e < position; e++) {
        const Event *event = &ex->events[e];
        for (unsigned i = 0; owner_of(ex, event->agent) == agent && i < event->access_count; i++) {
            const Access *access = &ex->accesses[event->first_access + i];
            bool shared;
            int change = access->resource == resource ? change_of(access, agent, &shared) : 0;
            if (change && shared)
                count += change;
        }
    }
    return count > 0;
}

/* ---- For reports --------------------------------------------------------------- */

static uint32_t remove_lock(HeldLock *locks, uint32_t count, uint64_t resource)
{
    for (uint32_t i = count; i-- > 0;)
        if (locks[i].resource == resource) {
            for (; i + 1 < count; i++)
                locks[i] = locks[i + 1];
            return count - 1;
        }
    return count;
}

uint32_t held_locks(const Execution *ex, uint32_t position, AgentId agent, HeldLock *locks, uint32_t max)
{
    uint32_t count = 0;
    agent = owner_of(ex, agent);
    for (uint32_t e = 0; e < position && e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        for (unsigned i = 0; owner_of(ex, event->agent) == agent && i < event->access_count; i++) {
            const Access *access = &ex->accesses[event->first_access + i];
            bool shared;
            int change = change_of(access, agent, &shared);
            if (change < 0)
                count = remove_lock(locks, count, access->resource);
            else if (change > 0 && count < max)
                locks[count++] = (HeldLock){access->resource, event->site, e, shared};
        }
    }
    return count;
}

static int64_t value_after(const Execution *ex, uint32_t position, uint64_t resource)
{
    for (uint32_t e = position; e-- > 0;) {
        const Event *event = &ex->events[e];
        for (unsigned i = 0; i < event->access_count; i++)
            if (ex->accesses[event->first_access + i].resource == resource)
                return ex->accesses[event->first_access + i].after;
    }
    return 0;
}

AgentId held_waits_for(const Execution *ex, uint32_t position, const Access *accesses, uint32_t count)
{
    if (position > ex->event_count)
        position = ex->event_count;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].role != ROLE_GUARD)
            continue;
        int64_t value = value_after(ex, position, accesses[i].resource);
        if (access_condition_holds(&accesses[i], value))
            continue;
        AgentId owner = held_owner(accesses[i].resource, value);
        if (owner != AGENT_NONE)
            return owner;
    }
    return AGENT_NONE;
}

static bool is_lock(uint64_t resource) { return resource >> 56 == RES_LOCK || resource >> 56 == RES_RWLOCK; }

uint64_t held_acquires(uint16_t op, const Access *accesses, uint32_t count)
{
    bool acquires = op == OP_LOCK || op == OP_WRLOCK || op == OP_RDLOCK || op == OP_COND_WAKE;
    for (uint32_t i = 0; acquires && i < count; i++)
        if (is_lock(accesses[i].resource))
            return accesses[i].resource;
    return 0;
}

uint64_t held_requests(uint16_t op, const Access *accesses, uint32_t count)
{
    uint64_t lock = held_acquires(op, accesses, count);
    return lock || !count ? lock : accesses[0].resource;
}

static bool is_among(const Finding *finding, AgentId agent)
{
    for (uint32_t i = 0; i < finding->agent_count; i++)
        if (finding->agents[i] == agent)
            return true;
    return false;
}

const Access *held_back_by(const Execution *ex, const Blocked *blocked, const Finding *finding)
{
    const Access *accesses = &ex->accesses[blocked->first_access], *guard = NULL, *failing = NULL;
    for (uint32_t i = 0; i < blocked->access_count; i++) {
        if (accesses[i].role != ROLE_GUARD)
            continue;
        guard = guard ? guard : &accesses[i];
        if (access_condition_holds(&accesses[i], accesses[i].before))
            continue;
        failing = failing ? failing : &accesses[i];
        if (is_among(finding, held_owner(accesses[i].resource, accesses[i].before)))
            return &accesses[i];
    }
    return failing ? failing : guard ? guard : blocked->access_count ? accesses : NULL;
}

bool held_pending(AgentId agent, uint16_t *op, uint64_t *resource, uint64_t *site)
{
    const Thread *thread = agent < rt.ex->agent_count ? thread_get(agent) : NULL;
    if (!thread || thread->state != THREAD_PENDING)
        return false;
    *op = thread->pending.op;
    *resource = held_requests(*op, thread->pending.accesses, thread->pending.count);
    *site = thread->pending.site;
    return true;
}
