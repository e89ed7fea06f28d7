/* lockgraph.c - see lockgraph.h */
#include "instr/analysis/lockgraph.h"

#include "base/mem.h"

/* ---- Waits ---------------------------------------------------------------------------------- */

static bool same_held(const HeldList *a, const HeldList *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const Held *x = &a->items[i], *y = &b->items[i];
        if (x->taken->call != y->taken->call || x->must != y->must || x->shared != y->shared ||
            !absvalue_equal(&x->taken->lock, &y->taken->lock))
            return false;
    }
    return true;
}

static Wait *find_wait(LockGraph *graph, WaitKind kind, LLVMValueRef call, LLVMValueRef entry, const AbsValue *target,
                       const HeldList *held)
{
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        Wait *wait = &graph->waits.items[i];
        if (wait->kind == kind && wait->call == call && wait->entry == entry && absvalue_equal(&wait->target, target) &&
            same_held(&wait->held, held))
            return wait;
    }
    return NULL;
}

static Wait *make_wait(LockGraph *graph, WaitKind kind, LLVMValueRef call, LLVMValueRef entry, const AbsValue *target,
                       const HeldList *held)
{
    VEC_PUSH(&graph->waits, ((Wait){.kind = kind, .call = call, .entry = entry}));
    Wait *wait = &graph->waits.items[graph->waits.count - 1];
    absvalue_join(&wait->target, target);
    for (uint32_t i = 0; i < held->count; i++)
        VEC_PUSH(&wait->held, held->items[i]);
    return wait;
}

static void add_waiter(LockGraph *graph, Wait *wait, uint32_t thread, const RunningList *running)
{
    Waiter waiter = {.thread = thread, .runs = mem_alloc(graph->pointsto->threads.count)};
    for (uint32_t i = 0; i < running->count; i++)
        waiter.runs[running->items[i].thread] = true;
    for (uint32_t i = 0; i < wait->waiters.count; i++)
        if (wait->waiters.items[i].thread == thread) {
            for (uint32_t k = 0; k < graph->pointsto->threads.count; k++)
                wait->waiters.items[i].runs[k] |= waiter.runs[k];
            free(waiter.runs);
            return;
        }
    VEC_PUSH(&wait->waiters, waiter);
}

static void note_wait(void *self, WaitKind kind, Context *context, LLVMValueRef call, const AbsValue *target,
                      bool shared, const LockState *state)
{
    enum { MOST_WAITS = 3000 };
    LockGraph *graph = self;
    for (uint32_t i = 0; i < context->threads.count; i++) {
        if (graph->waits.count == MOST_WAITS) {
            graph->cut = true;
            return;
        }
        uint32_t thread = context->threads.items[i];
        LLVMValueRef entry = graph->pointsto->threads.items[thread].root->function->value;
        Wait *wait = find_wait(graph, kind, call, entry, target, &state->held);
        if (!wait)
            wait = make_wait(graph, kind, call, entry, target, &state->held);
        wait->shared = shared;
        add_waiter(graph, wait, thread, &state->running);
    }
}

/* ---- Links ------------------------------------------------------------------------------------ */

const Held *lockgraph_asked(const Wait *wait, const Wait *held)
{
    for (uint32_t i = held->held.count; wait->kind == WAIT_LOCK && i-- > 0;) {
        const Held *entry = &held->held.items[i];
        if (!(wait->shared && entry->shared) && absvalue_may_be_same(&wait->target, &entry->taken->lock))
            return entry;
    }
    return NULL;
}

static bool joins(const LockGraph *graph, const Wait *wait, const Wait *other)
{
    for (uint32_t i = 0; wait->kind == WAIT_JOIN && i < wait->target.atoms.count; i++) {
        uint32_t number = wait->target.atoms.items[i].object;
        const Object *object = absmemory_get(&graph->pointsto->memory, number);
        for (uint32_t k = 0; k < other->waiters.count; k++)
            if (number == OBJECT_UNKNOWN || (number >= OBJECT_FIRST && object->kind == OBJECT_THREAD &&
                                             object->number == other->waiters.items[k].thread))
                return true;
    }
    return false;
}

/* Who has ended waits for nothing: the way back to whoever waits for it closes the cycle. */
static bool is_linked(const LockGraph *graph, const Wait *wait, const Wait *other)
{
    if (wait->kind == WAIT_NEVER)
        return other->kind == WAIT_LOCK && lockgraph_asked(other, wait);
    if (other->kind == WAIT_NEVER && wait->kind == WAIT_JOIN)
        return false;
    return lockgraph_asked(wait, other) || joins(graph, wait, other);
}

/* ---- At the same time --------------------------------------------------------------------------- */

static bool may_meet(const LockGraph *graph, const Wait *a, const Wait *b)
{
    bool ended = a->kind == WAIT_NEVER || b->kind == WAIT_NEVER;
    for (uint32_t i = 0; i < a->waiters.count; i++)
        for (uint32_t k = 0; k < b->waiters.count; k++) {
            const Waiter *x = &a->waiters.items[i], *y = &b->waiters.items[k];
            if (x->runs[y->thread] || y->runs[x->thread] || locksets_meet(graph->sets, x->thread, y->thread) ||
                (ended && x->thread != y->thread))
                return true;
        }
    return false;
}

static const LockCall *find_gate(const LockGraph *graph, const Wait *a, const Wait *b)
{
    for (uint32_t i = 0; i < a->held.count; i++)
        for (uint32_t k = 0; k < b->held.count; k++) {
            const Held *x = &a->held.items[i], *y = &b->held.items[k];
            if (x->must && y->must && !(x->shared && y->shared) && locksets_is_one(graph->pointsto, &x->taken->lock) &&
                absvalue_equal(&x->taken->lock, &y->taken->lock))
                return x->taken;
        }
    return NULL;
}

static void relate(LockGraph *graph)
{
    uint32_t count = graph->waits.count;
    for (uint32_t i = 0; i < count; i++) {
        Wait *wait = &graph->waits.items[i];
        wait->meets = mem_alloc(count);
        wait->gated = mem_alloc(count);
        wait->linked = mem_alloc(count);
        for (uint32_t k = 0; k < count; k++) {
            const Wait *other = &graph->waits.items[k];
            wait->meets[k] = i == k || may_meet(graph, wait, other);
            wait->gated[k] = i != k && find_gate(graph, wait, other);
            wait->linked[k] = is_linked(graph, wait, other);
        }
    }
}

/* ---- Cycles ---------------------------------------------------------------------------------------- */

typedef struct Walk {
    LockGraph *graph;
    uint32_t path[LOCKGRAPH_LENGTH];
    uint32_t length;
    bool strict;           /* only cycles that are open; else only those that are not */
    uint64_t steps;        /* left                                                    */
    uint32_t room;         /* for more cycles                                         */
    bool *leads;           /* by wait: the first of the path can be reached from it   */
} Walk;

static WaitCycleState judge(const Walk *walk, const LockCall **gate)
{
    WaitCycleState state = WAITCYCLE_OPEN;
    const LockGraph *graph = walk->graph;
    for (uint32_t i = 0; i < walk->length; i++)
        for (uint32_t k = i + 1; k < walk->length; k++) {
            const Wait *a = &graph->waits.items[walk->path[i]];
            if (!a->meets[walk->path[k]])
                state = WAITCYCLE_APART;
            else if (a->gated[walk->path[k]] && state == WAITCYCLE_OPEN) {
                state = WAITCYCLE_GATED;
                *gate = find_gate(graph, a, &graph->waits.items[walk->path[k]]);
            }
        }
    return state;
}

static void keep_cycle(Walk *walk)
{
    WaitCycle cycle = {0};
    cycle.state = judge(walk, &cycle.gate);
    if (walk->strict != (cycle.state == WAITCYCLE_OPEN))
        return;
    if (walk->room == 0) {
        walk->steps = 0;
        return;
    }
    walk->room--;
    for (uint32_t i = 0; i < walk->length; i++)
        VEC_PUSH(&cycle.waits, walk->path[i]);
    VEC_PUSH(&walk->graph->cycles, cycle);
}

static bool fits(const Walk *walk, uint32_t next)
{
    const Wait *wait = &walk->graph->waits.items[next];
    for (uint32_t i = 0; i < walk->length; i++)
        if (walk->path[i] == next || (walk->strict && (!wait->meets[walk->path[i]] || wait->gated[walk->path[i]])))
            return false;
    return true;
}

static void extend(Walk *walk)
{
    const Wait *last = &walk->graph->waits.items[walk->path[walk->length - 1]];
    if (last->linked[walk->path[0]])
        keep_cycle(walk);
    for (uint32_t next = walk->path[0] + 1; next < walk->graph->waits.count; next++) {
        if (!last->linked[next] || !walk->leads[next] || !fits(walk, next))
            continue;
        if (walk->length == LOCKGRAPH_LENGTH)
            walk->steps = 0;
        if (walk->steps == 0)
            return;
        walk->steps--;
        walk->path[walk->length++] = next;
        extend(walk);
        walk->length--;
    }
}

/* Which waits lead to the first one over waits behind it. */
static void find_leading(Walk *walk, uint32_t first)
{
    bool changed = true;
    for (uint32_t i = 0; i < walk->graph->waits.count; i++)
        walk->leads[i] = i == first;
    while (changed) {
        changed = false;
        for (uint32_t i = first + 1; i < walk->graph->waits.count; i++)
            for (uint32_t k = first; !walk->leads[i] && k < walk->graph->waits.count; k++)
                if (walk->leads[k] && walk->graph->waits.items[i].linked[k])
                    walk->leads[i] = changed = true;
    }
}

static bool find_cycles(LockGraph *graph, bool strict, uint32_t room, uint64_t steps)
{
    Walk walk = {
        .graph = graph, .strict = strict, .room = room, .steps = steps, .leads = mem_alloc(graph->waits.count + 1)};
    for (uint32_t i = 0; i < graph->waits.count && walk.steps; i++) {
        find_leading(&walk, i);
        walk.path[0] = i;
        walk.length = 1;
        extend(&walk);
    }
    free(walk.leads);
    return walk.steps > 0;
}

/* ---- Lifecycle --------------------------------------------------------------------------------------- */

LockGraph *lockgraph_create(PointsTo *pointsto, LockSets *sets)
{
    enum { MOST_STEPS = 2000000, CLOSED_CYCLES = 16, CLOSED_STEPS = 20000 };
    LockGraph *graph = mem_alloc(sizeof *graph);
    *graph = (LockGraph){.pointsto = pointsto, .sets = sets};
    locksets_each_wait(sets, note_wait, graph);
    relate(graph);
    graph->cut |= !find_cycles(graph, true, LOCKGRAPH_CYCLES, MOST_STEPS);
    find_cycles(graph, false, CLOSED_CYCLES, CLOSED_STEPS);
    return graph;
}

void lockgraph_destroy(LockGraph *graph)
{
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        Wait *wait = &graph->waits.items[i];
        for (uint32_t k = 0; k < wait->waiters.count; k++)
            free(wait->waiters.items[k].runs);
        absvalue_release(&wait->target);
        VEC_FREE(&wait->held);
        VEC_FREE(&wait->waiters);
        free(wait->meets);
        free(wait->gated);
        free(wait->linked);
    }
    for (uint32_t i = 0; i < graph->cycles.count; i++)
        VEC_FREE(&graph->cycles.items[i].waits);
    VEC_FREE(&graph->waits);
    VEC_FREE(&graph->cycles);
    free(graph);
}
