/* lockorder.c - see lockorder.h */
#include "subject/c/lockorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/abi/ops.h"
#include "rt/detect/held.h"
#include "rt/kernel/resource.h"

/* ---- Edges ---------------------------------------------------------------------------- */

static bool same_edge(const LockEdge *a, const LockEdge *b)
{
    return a->agent == b->agent && a->lock == b->lock && a->site == b->site && a->shared == b->shared &&
           a->held_count == b->held_count && memcmp(a->held, b->held, a->held_count * sizeof *a->held) == 0;
}

static void keep_edge(LockOrder *order, const LockEdge *edge)
{
    for (uint32_t i = 0; i < order->edge_count; i++)
        if (same_edge(&order->edges[i], edge))
            return;
    if (order->edge_count == LOCKORDER_EDGES)
        order->overflow = true;
    else
        order->edges[order->edge_count++] = *edge;
}

/* The lock that a step requests. */
typedef struct LockRequest {
    uint64_t lock, site;
    uint16_t op;
} LockRequest;

static void add_edge(LockOrder *order, const Execution *ex, uint32_t position, AgentId agent, uint32_t step,
                     const LockRequest *requested, const uint32_t *clock)
{
    HeldLock locks[LOCKORDER_HELD];
    uint64_t lock = requested->lock;
    LockEdge edge = {.agent = agent,
                     .step = step,
                     .lock = lock,
                     .site = requested->site,
                     .shared = requested->op == OP_RDLOCK};
    uint32_t count = held_locks(ex, position, agent, locks, LOCKORDER_HELD);
    for (uint32_t i = 0; i < count; i++)
        if (locks[i].resource != lock) {
            edge.held[edge.held_count] = locks[i].resource;
            edge.held_shared[edge.held_count] = locks[i].shared;
            edge.held_sites[edge.held_count++] = locks[i].site;
        }
    memcpy(edge.clock, clock, sizeof edge.clock);
    if (edge.held_count)
        keep_edge(order, &edge);
}

/* ---- Happens-before, from creating and joining threads only -------------------------- */

typedef struct Clocks {
    uint32_t (*of)[LOCKORDER_THREADS]; /* by agent: steps of each agent before its next one */
} Clocks;

static void join_clock(uint32_t *clock, const uint32_t *by)
{
    for (uint32_t i = 0; i < LOCKORDER_THREADS; i++)
        if (by[i] > clock[i])
            clock[i] = by[i];
}

static AgentId joined_by(const Execution *ex, const Event *event)
{
    for (uint32_t i = 0; event->op == OP_JOIN && i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        if (access->resource >> 56 == RES_END)
            return (AgentId)(access->resource & 0xffffffffu);
    }
    return AGENT_NONE;
}

static void advance(Clocks *clocks, const Execution *ex, const Event *event)
{
    AgentId agent = event->agent, joined = joined_by(ex, event);
    if (joined < LOCKORDER_THREADS)
        join_clock(clocks->of[agent], clocks->of[joined]);
    clocks->of[agent][agent] = event->index + 1;
    for (AgentId child = 0; child < ex->agent_count && child < LOCKORDER_THREADS; child++)
        if (execution_created_in(ex, child, agent, event->index))
            join_clock(clocks->of[child], clocks->of[agent]);
}

static bool is_other_wait(uint16_t op)
{
    return op == OP_COND_WAIT || op == OP_SEM_WAIT || op == OP_BARRIER_ARRIVE;
}

static void add_blocked(LockOrder *order, const Execution *ex, Clocks *clocks)
{
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        const Blocked *blocked = &ex->blocked[i];
        uint64_t lock = held_acquires(blocked->op, &ex->accesses[blocked->first_access], blocked->access_count);
        if (blocked->agent < LOCKORDER_THREADS && lock)
            add_edge(order, ex, ex->event_count, blocked->agent, ex->agents[blocked->agent].steps,
                     &(LockRequest){lock, blocked->site, blocked->op}, clocks->of[blocked->agent]);
    }
}

void lockorder_add(LockOrder *order, const Execution *ex)
{
    Clocks clocks = {mem_alloc(LOCKORDER_THREADS * sizeof *clocks.of)};
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        if (event->agent >= LOCKORDER_THREADS) {
            order->overflow = true;
            continue;
        }
        advance(&clocks, ex, event);
        order->other_waits |= is_other_wait(event->op);
        uint64_t lock = held_acquires(event->op, &ex->accesses[event->first_access], event->access_count);
        if (lock)
            add_edge(order, ex, i, event->agent, event->index, &(LockRequest){lock, event->site, event->op},
                     clocks.of[event->agent]);
    }
    add_blocked(order, ex, &clocks);
    free(clocks.of);
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

/* The number of `lock` among the locks an edge holds, or UINT32_MAX. */
static uint32_t find_held(const LockEdge *edge, uint64_t lock)
{
    for (uint32_t i = 0; i < edge->held_count; i++)
        if (edge->held[i] == lock)
            return i;
    return UINT32_MAX;
}

/* The same for the lock that another edge requests; two readers do not wait for each other. */
static uint32_t find_requested(const LockEdge *edge, const LockEdge *other)
{
    uint32_t held = find_held(edge, other->lock);
    return held != UINT32_MAX && edge->held_shared[held] && other->shared ? UINT32_MAX : held;
}

static uint64_t find_gate(const LockEdge *a, const LockEdge *b)
{
    for (uint32_t i = 0; i < a->held_count; i++)
        if (a->held[i] >> 56 == RES_LOCK && find_held(b, a->held[i]) != UINT32_MAX)
            return a->held[i];
    return 0;
}

static bool is_ordered(const LockEdge *a, const LockEdge *b)
{
    return b->clock[a->agent] > a->step || a->clock[b->agent] > b->step;
}

static void judge(const LockOrder *order, LockCycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++)
        for (uint32_t k = i + 1; k < cycle->count; k++) {
            const LockEdge *a = &order->edges[cycle->edges[i]], *b = &order->edges[cycle->edges[k]];
            uint64_t gate = find_gate(a, b);
            if (is_ordered(a, b))
                cycle->state = LOCKCYCLE_ORDERED;
            else if (gate && cycle->state == LOCKCYCLE_OPEN) {
                cycle->state = LOCKCYCLE_GATED;
                cycle->gate = gate;
            }
        }
}

/* Cycles of the same threads, locks and places are one. */
static bool is_known(const LockOrder *order, const LockCycle *cycle)
{
    for (uint32_t i = 0; i < order->cycle_count; i++) {
        const LockCycle *other = &order->cycles[i];
        bool same = other->count == cycle->count && other->state <= cycle->state;
        for (uint32_t k = 0; same && k < cycle->count; k++) {
            const LockEdge *a = &order->edges[cycle->edges[k]], *b = &order->edges[other->edges[k]];
            same = a->agent == b->agent && a->lock == b->lock && a->site == b->site &&
                   a->held[cycle->held[k]] == b->held[other->held[k]];
        }
        if (same)
            return true;
    }
    return false;
}

static void keep_cycle(LockOrder *order, LockCycle cycle)
{
    judge(order, &cycle);
    if (is_known(order, &cycle))
        return;
    if (order->cycle_count == LOCKORDER_CYCLES)
        order->overflow = true;
    else
        order->cycles[order->cycle_count++] = cycle;
}

static bool has_agent(const LockOrder *order, const LockCycle *path, AgentId agent)
{
    for (uint32_t i = 0; i < path->count; i++)
        if (order->edges[path->edges[i]].agent == agent)
            return true;
    return false;
}

/* Extends a path whose first edge is of the smallest agent. */
static void extend(LockOrder *order, LockCycle *path)
{
    const LockEdge *first = &order->edges[path->edges[0]], *last = &order->edges[path->edges[path->count - 1]];
    uint32_t closing = find_requested(first, last);
    if (path->count > 1 && closing != UINT32_MAX) {
        path->held[0] = closing;
        keep_cycle(order, *path);
    }
    for (uint32_t i = 0; i < order->edge_count && path->count < LOCKORDER_CYCLE && !order->overflow; i++) {
        uint32_t held = find_requested(&order->edges[i], last);
        if (held == UINT32_MAX || order->edges[i].agent <= first->agent ||
            has_agent(order, path, order->edges[i].agent))
            continue;
        path->edges[path->count] = i;
        path->held[path->count++] = held;
        extend(order, path);
        path->count--;
    }
}

void lockorder_find_cycles(LockOrder *order)
{
    for (uint32_t i = 0; i < order->edge_count; i++) {
        LockCycle path = {.edges = {i}, .count = 1};
        extend(order, &path);
    }
}
