/* lockgraph.c - see lockgraph.h */
#include "instr/analysis/lockgraph.h"

#include "base/mem.h"

/* ---- Waits ---------------------------------------------------------------------------------- */

static bool same_held(const HeldList *a, const HeldList *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const LockEntry *x = &a->items[i], *y = &b->items[i];
        if (x->taken->call != y->taken->call || x->must != y->must || x->shared != y->shared ||
            !abstract_value_equal(&x->taken->lock, &y->taken->lock))
            return false;
    }
    return true;
}

static LockWait *find_wait(LockGraph *graph, WaitKind kind, LLVMValueRef call, LLVMValueRef entry,
                           const AbsValue *target, const HeldList *held)
{
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        LockWait *wait = &graph->waits.items[i];
        if (wait->kind == kind && wait->call == call && wait->entry == entry &&
            abstract_value_equal(&wait->target, target) && same_held(&wait->held, held))
            return wait;
    }
    return NULL;
}

static LockWait *make_wait(LockGraph *graph, WaitKind kind, LLVMValueRef call, LLVMValueRef entry,
                           const AbsValue *target, const HeldList *held)
{
    VEC_PUSH(&graph->waits, ((LockWait){.kind = kind, .call = call, .entry = entry}));
    LockWait *wait = &graph->waits.items[graph->waits.count - 1];
    abstract_value_join(&wait->target, target);
    for (uint32_t i = 0; i < held->count; i++)
        VEC_PUSH(&wait->held, held->items[i]);
    return wait;
}

static void add_waiter(LockGraph *graph, LockWait *wait, uint32_t thread, const RunningList *running)
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
        LockWait *wait = find_wait(graph, kind, call, entry, target, &state->held);
        if (!wait)
            wait = make_wait(graph, kind, call, entry, target, &state->held);
        wait->shared = shared;
        add_waiter(graph, wait, thread, &state->running);
    }
}

/* ---- Links ------------------------------------------------------------------------------------ */

const LockEntry *lockgraph_asked(const LockWait *wait, const LockWait *held)
{
    for (uint32_t i = held->held.count; wait->kind == WAIT_LOCK && i-- > 0;) {
        const LockEntry *entry = &held->held.items[i];
        if (!(wait->shared && entry->shared) && abstract_value_may_be_same(&wait->target, &entry->taken->lock))
            return entry;
    }
    return NULL;
}

static bool joins(const LockGraph *graph, const LockWait *wait, const LockWait *other)
{
    for (uint32_t i = 0; wait->kind == WAIT_JOIN && i < wait->target.atoms.count; i++) {
        uint32_t number = wait->target.atoms.items[i].object;
        const Object *object = abstract_memory_get(&graph->pointsto->memory, number);
        for (uint32_t k = 0; k < other->waiters.count; k++)
            if (number == OBJECT_UNKNOWN || (number >= OBJECT_FIRST && object->kind == OBJECT_THREAD &&
                                             object->number == other->waiters.items[k].thread))
                return true;
    }
    return false;
}

/* A thread that has ended waits for nothing: the link back to the thread that waits for it closes the cycle. */
static bool is_linked(const LockGraph *graph, const LockWait *wait, const LockWait *other)
{
    if (wait->kind == WAIT_NEVER)
        return other->kind == WAIT_LOCK && lockgraph_asked(other, wait);
    if (other->kind == WAIT_NEVER && wait->kind == WAIT_JOIN)
        return false;
    return lockgraph_asked(wait, other) || joins(graph, wait, other);
}

/* ---- At the same time --------------------------------------------------------------------------- */

static bool may_meet(const LockGraph *graph, const LockWait *a, const LockWait *b)
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

static const LockCall *find_gate(const LockGraph *graph, const LockWait *a, const LockWait *b)
{
    for (uint32_t i = 0; i < a->held.count; i++)
        for (uint32_t k = 0; k < b->held.count; k++) {
            const LockEntry *x = &a->held.items[i], *y = &b->held.items[k];
            if (x->must && y->must && !(x->shared && y->shared) && locksets_is_one(graph->pointsto, &x->taken->lock) &&
                abstract_value_equal(&x->taken->lock, &y->taken->lock))
                return x->taken;
        }
    return NULL;
}

static void relate(LockGraph *graph)
{
    uint32_t count = graph->waits.count;
    for (uint32_t i = 0; i < count; i++) {
        LockWait *wait = &graph->waits.items[i];
        wait->meets = mem_alloc(count);
        wait->gated = mem_alloc(count);
        wait->linked = mem_alloc(count);
        for (uint32_t k = 0; k < count; k++) {
            const LockWait *other = &graph->waits.items[k];
            wait->meets[k] = i == k || may_meet(graph, wait, other);
            wait->gated[k] = i != k && find_gate(graph, wait, other);
            wait->linked[k] = is_linked(graph, wait, other);
        }
    }
}

/* ---- Cycles ---------------------------------------------------------------------------------------- */

typedef struct StaticCycleSearch {
    LockGraph *graph;
    uint32_t path[LOCKGRAPH_LENGTH];
    uint32_t length;
    bool strict;           /* only open cycles; else only the others                  */
    uint64_t steps;        /* left                                                    */
    uint32_t room;         /* for further cycles                                      */
    bool *leads;           /* by wait: the first of the path can be reached from it   */
} StaticCycleSearch;

static StaticCycleState judge(const StaticCycleSearch *search, const LockCall **gate)
{
    StaticCycleState state = STATIC_CYCLE_OPEN;
    const LockGraph *graph = search->graph;
    for (uint32_t i = 0; i < search->length; i++)
        for (uint32_t k = i + 1; k < search->length; k++) {
            const LockWait *a = &graph->waits.items[search->path[i]];
            if (!a->meets[search->path[k]])
                state = STATIC_CYCLE_APART;
            else if (a->gated[search->path[k]] && state == STATIC_CYCLE_OPEN) {
                state = STATIC_CYCLE_GATED;
                *gate = find_gate(graph, a, &graph->waits.items[search->path[k]]);
            }
        }
    return state;
}

static void keep_cycle(StaticCycleSearch *search)
{
    StaticCycle cycle = {0};
    cycle.state = judge(search, &cycle.gate);
    if (search->strict != (cycle.state == STATIC_CYCLE_OPEN))
        return;
    if (search->room == 0) {
        search->steps = 0;
        return;
    }
    search->room--;
    for (uint32_t i = 0; i < search->length; i++)
        VEC_PUSH(&cycle.waits, search->path[i]);
    VEC_PUSH(&search->graph->cycles, cycle);
}

static bool fits(const StaticCycleSearch *search, uint32_t next)
{
    const LockWait *wait = &search->graph->waits.items[next];
    for (uint32_t i = 0; i < search->length; i++) {
        uint32_t other = search->path[i];
        if (other == next || (search->strict && (!wait->meets[other] || wait->gated[other])))
            return false;
    }
    return true;
}

static void extend(StaticCycleSearch *search)
{
    const LockWait *last = &search->graph->waits.items[search->path[search->length - 1]];
    if (last->linked[search->path[0]])
        keep_cycle(search);
    for (uint32_t next = search->path[0] + 1; next < search->graph->waits.count; next++) {
        if (!last->linked[next] || !search->leads[next] || !fits(search, next))
            continue;
        if (search->length == LOCKGRAPH_LENGTH)
            search->steps = 0;
        if (search->steps == 0)
            return;
        search->steps--;
        search->path[search->length++] = next;
        extend(search);
        search->length--;
    }
}

/* Which waits reach the first one through waits with higher numbers. */
static void find_leading(StaticCycleSearch *search, uint32_t first)
{
    bool changed = true;
    for (uint32_t i = 0; i < search->graph->waits.count; i++)
        search->leads[i] = i == first;
    while (changed) {
        changed = false;
        for (uint32_t i = first + 1; i < search->graph->waits.count; i++)
            for (uint32_t k = first; !search->leads[i] && k < search->graph->waits.count; k++)
                if (search->leads[k] && search->graph->waits.items[i].linked[k])
                    search->leads[i] = changed = true;
    }
}

static bool find_cycles(LockGraph *graph, bool strict, uint32_t room, uint64_t steps)
{
    StaticCycleSearch search = {
        .graph = graph, .strict = strict, .room = room, .steps = steps, .leads = mem_alloc(graph->waits.count + 1)};
    for (uint32_t i = 0; i < graph->waits.count && search.steps; i++) {
        find_leading(&search, i);
        search.path[0] = i;
        search.length = 1;
        extend(&search);
    }
    free(search.leads);
    return search.steps > 0;
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
        LockWait *wait = &graph->waits.items[i];
        for (uint32_t k = 0; k < wait->waiters.count; k++)
            free(wait->waiters.items[k].runs);
        abstract_value_release(&wait->target);
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
