/* park.c - see park.h */
#include "rt/spin/park.h"

#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/spin/changes.h"
#include "rt/spin/spin_reads.h"

enum {
    MAX_PARKS = 3,  /* of a thread in one loop                                       */
    MAX_WAITED = 96 /* locations that a thread in a livelock is reported to wait for */
};

struct Park {
    uint64_t loop;  /* its place                                                                */
    uint32_t count; /* how often the thread was parked there                                    */
    uint32_t cycle; /* the first event of the cycle                                             */
    bool stuck;     /* it waits in a livelock, unless another parked thread changes something   */
};

/* ---- Who notices what -------------------------------------------------------------- */

/* Are all events since then the thread's own? */
static bool is_alone_since(const Thread *self, uint32_t position)
{
    for (uint32_t i = position; i < rt.ex->event_count; i++)
        if (rt.ex->events[i].agent != self->id)
            return false;
    return true;
}

static bool reacts_to(const Access *access, const Access *change)
{
    return access->role != ROLE_GUARD || access->lanes != change->lanes ||
           access_condition_holds(access, change->after);
}

/* Could a thread whose cycle begins with that event notice the change? Not if it waits until it is undone. */
static bool cycle_notices(AgentId agent, uint32_t cycle, const Access *change)
{
    for (uint32_t i = cycle; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        for (unsigned k = 0; event->agent == agent && k < event->access_count; k++) {
            const Access *access = &rt.ex->accesses[event->first_access + k];
            if (access->resource == change->resource && access->lanes & change->lanes)
                return reacts_to(access, change);
        }
    }
    return false;
}

static bool guard_notices(const Pending *pending, const Access *change)
{
    for (unsigned i = 0; i < pending->count; i++)
        if (pending->accesses[i].resource == change->resource && pending->accesses[i].lanes & change->lanes &&
            reacts_to(&pending->accesses[i], change))
            return true;
    return false;
}

static bool notices(const Thread *other, const Access *change)
{
    const Park *park = other->park;
    if (other->state != THREAD_PENDING)
        return false;
    if (park && (park->stuck || other->pending.op == OP_PARK))
        return cycle_notices(other->id, park->cycle, change);
    return guard_notices(&other->pending, change);
}

/* Could another thread do something in the middle of the cycle that it cannot do at its ends? */
static bool is_noticed(const Thread *self, uint32_t cycle)
{
    for (uint32_t i = cycle; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        for (unsigned k = 0; k < event->access_count; k++) {
            const Access *access = &rt.ex->accesses[event->first_access + k];
            if (access->mode == MODE_READ || changes_ignore(access->resource))
                continue;
            for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
                if (agent != self->id && notices(thread_get(agent), access))
                    return true;
        }
    }
    return false;
}

static bool lists(const SpinRead *reads, uint32_t count, const Access *access)
{
    for (uint32_t i = 0; i < count; i++)
        if (reads[i].resource == access->resource && reads[i].lanes == access->lanes)
            return true;
    return false;
}

/* What the cycle accesses, with the values at its start. */
static uint32_t list_reads(uint32_t cycle, SpinRead *reads)
{
    uint32_t count = 0;
    for (uint32_t i = cycle; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        for (unsigned k = 0; k < event->access_count && count < MAX_WAITED; k++) {
            const Access *access = &rt.ex->accesses[event->first_access + k];
            if (!changes_ignore(access->resource) && !lists(reads, count, access))
                reads[count++] = (SpinRead){.resource = access->resource, .value = access->before,
                                            .lanes = access->lanes, .guards = true};
        }
    }
    return count;
}

/* ---- Parking ------------------------------------------------------------------------ */

/* Nothing changes while the thread runs alone: it is in a livelock, unless a thread that is released later changes
 * something. */
static void wait_stuck(Thread *self, uint32_t cycle)
{
    SpinRead reads[MAX_WAITED];
    uint32_t count = list_reads(cycle, reads);
    if (is_noticed(self, cycle) || !count || count == MAX_WAITED)
        thread_cut(CUT_REVISITS);
    spin_reads_announce(reads, count);
    self->park->cycle = cycle;
    self->park->stuck = true;
    step_wait();
    self->park->stuck = false;
    spin_reads_renew();
    step_done();
}

/* Continues when no other agent is enabled. */
static void let_others_continue(Thread *self, uint32_t cycle)
{
    self->park->cycle = cycle;
    self->park->count++;
    step_begin(OP_PARK, 0);
    rt.announced.flags |= EVENT_QUIET;
    step_wait_slow(self);
    step_done();
}

static bool another_is_parked(const Thread *self)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        if (thread != self && thread->state == THREAD_PENDING && thread->pending.op == OP_PARK)
            return true;
    }
    return false;
}

/* The thread was parked, and has come to the same state again. */
static void park_again(Thread *self, uint32_t cycle)
{
    if (is_alone_since(self, cycle) && !another_is_parked(self))
        wait_stuck(self, cycle);
    else if (self->park->count < MAX_PARKS)
        let_others_continue(self, cycle);
    else if (is_alone_since(self, cycle))
        wait_stuck(self, cycle);
    else
        thread_cut(CUT_REVISITS);
}

void park_thread(uint64_t loop, uint32_t cycle)
{
    Thread *self = rt.self;
    if (!self->park)
        self->park = transient_alloc(sizeof *self->park);
    if (self->park->loop != loop)
        *self->park = (Park){.loop = loop};
    if (self->park->count)
        park_again(self, cycle);
    else
        let_others_continue(self, cycle);
}

uint32_t park_count(const Thread *thread) { return thread->park ? thread->park->count : 0; }

uint32_t park_count_in(const Thread *thread, uint64_t loop)
{
    return thread->park && thread->park->loop == loop ? thread->park->count : 0;
}

bool park_is_stuck(const Thread *thread) { return thread->park && thread->park->stuck; }
