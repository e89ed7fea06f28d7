/* deadlock.c - see deadlock.h; cycles are searched in the wait-for graph that the guards define */
#include "rt/detect/deadlock.h"

#include "rt/actors/actor.h"
#include "rt/detect/bug.h"
#include "rt/detect/held.h"
#include "rt/detect/names.h"
#include "rt/kernel/node.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/thread.h"
#include "rt/spin/spin.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/sync.h"

enum { MAX_CYCLE = 64 };

typedef struct Cycle {
    AgentId agents[MAX_CYCLE];
    uint64_t resources[MAX_CYCLE]; /* that each waits for, and the next one has */
    uint32_t length;
} Cycle;

/* ---- Cycles ------------------------------------------------------------------ */

static bool visited(const Cycle *cycle, AgentId agent)
{
    for (uint32_t i = 0; i < cycle->length; i++)
        if (cycle->agents[i] == agent)
            return true;
    return false;
}

static bool find_cycle(Cycle *cycle, AgentId target);

/* The agent that runs the code of an owner: for an actor, the message it handles. */
static AgentId running_for(AgentId owner)
{
    const Actor *actor = thread_get(owner)->actor;
    return actor && actor->is_actor ? actor->running : owner;
}

/* Extends the path by one owner that its last agent waits for. */
static bool follow(Cycle *cycle, AgentId next, AgentId target)
{
    if (next == AGENT_NONE || next >= rt.ex->agent_count)
        return false;
    next = running_for(next);
    if (next == target)
        return true;
    const Thread *thread = thread_get(next);
    if (cycle->length == MAX_CYCLE || visited(cycle, next) || thread->state != THREAD_PENDING ||
        !thread->pending.guards || scheduler_is_enabled(thread))
        return false;
    cycle->agents[cycle->length++] = next;
    if (find_cycle(cycle, target))
        return true;
    cycle->length--;
    return false;
}

/* A writer waits for each reader of the lock. */
static bool follow_readers(Cycle *cycle, uint64_t resource, AgentId target)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (held_shared(rt.ex, rt.ex->event_count, agent, resource) && follow(cycle, agent, target))
            return true;
    return false;
}

/* A reader of a lock that prefers writers waits for each writer that waits for it. */
static bool follow_writers(Cycle *cycle, uint64_t resource, AgentId target)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        bool waits = thread->state == THREAD_PENDING && thread->pending.op == OP_WRLOCK &&
                     thread->pending.count > 1 && thread->pending.accesses[1].resource == resource;
        if (waits && follow(cycle, agent, target))
            return true;
    }
    return false;
}

/* Is there more than one condition of which any suffices? A signal only makes it wait again. */
static bool is_freed_by_one(const Pending *pending)
{
    unsigned guards = 0;
    for (unsigned i = 0; i < pending->count; i++)
        guards += pending->accesses[i].role == ROLE_GUARD && pending->accesses[i].resource >> 56 != RES_PENDING;
    return pending->flags & EVENT_GUARD_ANY && (guards != 1 || guards == pending->guards);
}

/* A thread waits for every agent that one of its unsatisfied guards waits for: all guards must be
 * satisfied, so a cycle through any of them means that the thread is blocked forever. */
static bool find_cycle(Cycle *cycle, AgentId target)
{
    uint32_t last = cycle->length - 1;
    const Pending *pending = &thread_get(cycle->agents[last])->pending;
    if (is_freed_by_one(pending) || sync_waits_past_bound(cycle->agents[last]))
        return false;
    for (unsigned i = 0; i < pending->count; i++) {
        const Access *access = &pending->accesses[i];
        if (access->role != ROLE_GUARD)
            continue;
        int64_t value = scheduler_guard_value(access, pending->live[i]);
        if (access_condition_holds(access, value))
            continue;
        cycle->resources[last] = access->resource;
        if (access->resource >> 56 == RES_RWLOCK && value > 0 && value < RWLOCK_WRITER_MIN) {
            if (follow_readers(cycle, access->resource, target))
                return true;
        } else if (access->resource >> 56 == RES_WRITERS) {
            if (follow_writers(cycle, access->resource, target))
                return true;
        } else if (follow(cycle, held_owner(access->resource, value), target)) {
            return true;
        }
    }
    return false;
}

static void report_cycle(const Cycle *cycle)
{
    Finding *finding = execution_add_finding(rt.ex, BUG_DEADLOCK);
    char text[FINDING_TEXT];
    size_t used = 0;
    for (uint32_t i = 0; i < cycle->length; i++) {
        const Pending *pending = &thread_get(cycle->agents[i])->pending;
        char who[48], what[80];
        bug_add_agent(finding, cycle->agents[i]);
        bug_add_site(finding, pending->site);
        name_agent(thread_get(cycle->agents[i])->strand, who, sizeof who);
        name_resource(cycle->resources[i], LANES_ALL, what, sizeof what);
        if (used < sizeof text) /* all agents are listed, even if the text has no room for them */
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s waits for %s", used ? ", " : "", who, what);
    }
    snprintf(finding->text, sizeof finding->text, "%s", text);
    finding->address = resource_address(cycle->resources[0]);
}

void deadlock_check_cycle(Thread *thread)
{
    Cycle cycle; /* not cleared: this happens whenever a thread begins to wait */
    cycle.agents[0] = thread->id;
    cycle.length = 1;
    if (!find_cycle(&cycle, thread->id))
        return;
    rt.cycle_found = true;
    report_cycle(&cycle);
    bug_noted();
}

/* ---- The end of an execution ---------------------------------------------------- */

static bool is_spinning(const Blocked *blocked) { return blocked->op == OP_AWAIT || blocked->op == OP_SPIN; }

static bool is_idle(const Blocked *blocked)
{
    return actor_is_idle(blocked->op) || node_is_idle(thread_get(blocked->agent));
}

/* In a cluster: a client that waits is at fault, a node that serves may. */
static bool drives(const Blocked *blocked)
{
    unsigned node = thread_get(blocked->agent)->node;
    return node && node_get(node)->client;
}

/* A thread that only joins a deadlocked one is not at fault, and the place of its join would
 * make several bugs of one. */
static bool is_involved(const Blocked *blocked, bool only_joins) { return only_joins || blocked->op != OP_JOIN; }

static void describe_end(Finding *finding, const Blocked *first, bool spins)
{
    char who[48], what[96];
    name_agent(thread_get(first->agent)->strand, who, sizeof who);
    const Access *wanted = held_back_by(rt.ex, first, finding);
    name_resource(wanted ? wanted->resource : 0, LANES_ALL, what, sizeof what);
    snprintf(finding->text, sizeof finding->text, spins ? "%s spins forever on %s" : "%s waits forever for %s%s", who,
             what, finding->agent_count > 1 ? ", and others too" : "");
}

void deadlock_check_end(void)
{
    Execution *ex = rt.ex;
    bool spins = false, only_joins = true;
    if (ex->blocked_count == ex->idle_count || rt.stopped_agents || thread_end_unknown() || rt.cycle_found)
        return;
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        if (is_idle(&ex->blocked[i]))
            continue;
        if (spin_misses_race(thread_get(ex->blocked[i].agent)))
            return;
        if (interrupt_missed(thread_get(ex->blocked[i].agent)))
            report_not_modelled("a signal for a thread that waits for several things at once");
        spins |= is_spinning(&ex->blocked[i]);
        only_joins &= ex->blocked[i].op == OP_JOIN;
    }
    const Blocked *first = NULL;
    Finding *finding = execution_add_finding(ex, spins ? BUG_LIVELOCK : BUG_DEADLOCK);
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        const Blocked *blocked = &ex->blocked[i];
        if (is_idle(blocked) || !is_involved(blocked, only_joins))
            continue;
        bug_add_agent(finding, blocked->agent);
        bug_add_site(finding, blocked->site);
        if ((!first || (drives(blocked) && !drives(first))) && is_spinning(blocked) == spins)
            first = blocked;
    }
    describe_end(finding, first, spins);
}
