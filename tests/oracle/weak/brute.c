/* brute.c - all execution graphs of a program by trying everything
 *
 * Every consistent graph can be built by adding its steps one by one in an order that program order, reads-from and
 * the orders of strong steps allow, and everything on the way is consistent too. So: from every partial graph, add the
 * next step of every thread in every possible way, and leave partial graphs that have been there before. What a
 * thread does in any case and without looking at others (stores, fences, branches on inputs) is added at once.
 *
 * A graph is wanted if every thread is at its end or waits:
 *   for a strong step     its guard does not hold behind all strong steps of the graph
 *   for a guarded read    the last write in coherence order does not satisfy it
 *   for a guarded update  the same (unless `last`: no write at all lets it continue)
 */
#include <stdlib.h>
#include <string.h>

#include "weak.h"

typedef struct State {
    WeakGraph graph;
    Thread thread[MAX_THREADS];
    int64_t value[RESOURCES];
    uint32_t inputs;
} State;

/* ---- The table of partial graphs -------------------------------------------- */

static uint32_t table_room(const Brute *brute)
{
    uint32_t room = 64;
    while (room < 2 * brute->limit)
        room *= 2;
    return room;
}

/* False if it has been there before, or there is no room. */
static bool table_add(Brute *brute, uint64_t name)
{
    uint32_t mask = table_room(brute) - 1, at = (uint32_t)(name >> 20) & mask;
    while (brute->table[at] && brute->table[at] != name)
        at = (at + 1) & mask;
    if (brute->table[at] || brute->tried == brute->limit)
        return false;
    brute->table[at] = name;
    brute->tried++;
    return true;
}

void brute_init(Brute *brute, uint32_t limit)
{
    *brute = (Brute){.limit = limit};
    brute->table = mem_alloc(table_room(brute) * sizeof *brute->table);
}

void brute_release(Brute *brute)
{
    free(brute->table);
    VEC_FREE(&brute->found);
}

/* ---- Adding steps -------------------------------------------------------------- */

static void visit(Brute *brute, const State *state);

static bool is_full(const Brute *brute, const State *state)
{
    return brute->tried >= brute->limit || state->graph.count == MAX_NODES;
}

/* The graph has a new step: its thread continues from there, unless that was not possible, or tried before. */
static void continue_from(Brute *brute, State *next, unsigned t, int64_t value)
{
    if (!table_add(brute, weakgraph_name(brute->code, &next->graph)) ||
        !weakgraph_is_consistent(brute->code, &next->graph, brute->memory))
        return;
    thread_step(brute->code, t, &next->thread[t], value);
    visit(brute, next);
}

/* The same for a step that has read a value and may have several outcomes: those of a condition, or of a choice. */
static void continue_each(Brute *brute, State *next, unsigned t, const Ins *ins, int64_t value)
{
    bool asks = ins->asks || ins->kind == INS_BRANCH;
    if (!asks && ins->kind != INS_CHOOSE) {
        continue_from(brute, next, t, value);
        return;
    }
    uint32_t options = asks ? 2 : ins_options(ins, value), condition = asks ? ins_condition(ins, value) : 0;
    for (uint32_t outcome = 0; outcome < options; outcome++) {
        State each = *next;
        each.graph.node[each.graph.count - 1].outcome = (int8_t)outcome;
        if (asks)
            each.inputs &= outcome ? condition : ~condition;
        if (each.inputs)
            continue_from(brute, &each, t, outcome);
    }
}

static int8_t value_of(const WeakGraph *graph, unsigned id)
{
    return id >= INITIAL ? 0 : graph->node[id].written;
}

static Node new_node(const State *state, unsigned t, const Ins *ins, NodeKind kind)
{
    return (Node){.kind = (uint8_t)kind,
                  .thread = (uint8_t)t,
                  .pc = state->thread[t].pc,
                  .location = ins->x,
                  .order = ins->order,
                  .from = NO_NODE};
}

static void insert_write(WeakGraph *graph, unsigned x, unsigned at, uint32_t id)
{
    memmove(&graph->coherence[x][at + 1], &graph->coherence[x][at], graph->writes[x] - at);
    graph->coherence[x][at] = (uint8_t)id;
    graph->writes[x]++;
}

static void try_store(Brute *brute, const State *state, unsigned t, const Ins *ins)
{
    for (unsigned at = 0; at <= state->graph.writes[ins->x]; at++) {
        State next = *state;
        Node node = new_node(state, t, ins, NODE_WRITE);
        node.written = (int8_t)thread_stored(ins, &state->thread[t]);
        insert_write(&next.graph, ins->x, at, weakgraph_add(&next.graph, &node));
        continue_from(brute, &next, t, 0);
    }
}

/* What an update writes; false if it only reads. */
static bool updates(const Ins *ins, int8_t read, int8_t *written)
{
    *written = (int8_t)(ins->kind == INS_ADD ? read + ins->c : ins->d);
    return ins->kind == INS_ADD || ins->kind == INS_AWAIT_SET || (ins->kind == INS_CAS && read == ins->c);
}

/* The graph with a read or an update that reads the write `at` of its location (0: the initial one), and perhaps fails
 * for no reason. */
static State with_read(const State *state, unsigned t, const Ins *ins, unsigned at, int8_t read, bool fails)
{
    State next = *state;
    Node node = new_node(state, t, ins, NODE_READ);
    node.from = at ? state->graph.coherence[ins->x][at - 1] : (uint8_t)(INITIAL + ins->x);
    node.read = read;
    int8_t written;
    if (updates(ins, read, &written) && !fails) {
        node.kind = NODE_UPDATE;
        node.written = written;
        insert_write(&next.graph, ins->x, at, weakgraph_add(&next.graph, &node));
    } else {
        node.order = ins->kind == INS_CAS ? ins->failed : ins->order;
        weakgraph_add(&next.graph, &node);
    }
    return next;
}

/* Tries every write to read from. Returns whether the thread may wait there until the end. */
static bool try_read(Brute *brute, const State *state, unsigned t, const Ins *ins)
{
    bool able = !ins_awaits(ins);
    unsigned writes = state->graph.writes[ins->x];
    for (unsigned at = 0; at <= writes; at++) {
        unsigned from = at ? state->graph.coherence[ins->x][at - 1] : INITIAL + ins->x;
        int8_t read = value_of(&state->graph, from);
        if (!ins_may_read(ins, read))
            continue;
        State next = with_read(state, t, ins, at, read, false);
        if (ins->kind == INS_AWAIT_SET && !brute->last)
            able = able || weakgraph_is_consistent(brute->code, &next.graph, brute->memory);
        else
            able = able || at == writes;
        continue_each(brute, &next, t, ins, read);
        if (ins->weak && read == ins->c) {
            next = with_read(state, t, ins, at, read, true);
            continue_each(brute, &next, t, ins, read);
        }
    }
    return !able;
}

/* Returns whether the thread waits. */
static bool try_strong(Brute *brute, const State *state, unsigned t, const Ins *ins)
{
    bool holds = terms_hold(ins, state->value);
    if (!holds && ins->kind != INS_TRY)
        return true;
    State next = *state;
    Node node = new_node(state, t, ins, NODE_STRONG);
    int64_t value = ins->kind == INS_TRY ? holds : state->value[ins->term[0].resource];
    if (ins->kind == INS_TRY || term_mode(ins, 0, true) != MODE_ACCUMULATE)
        node.read = (int8_t)value;
    weakgraph_add(&next.graph, &node);
    for (unsigned i = 0; i < ins->terms && holds; i++)
        term_apply(&ins->term[i], next.value);
    continue_each(brute, &next, t, ins, value);
    return false;
}

/* A step that is added whatever others do; false if the pending one is of another kind. */
static bool try_at_once(Brute *brute, const State *state, unsigned t, const Ins *ins)
{
    State next;
    Node node;
    switch ((InsKind)ins->kind) {
    case INS_STORE: try_store(brute, state, t, ins); return true;
    case INS_CHOOSE:
        if (ins->terms)
            return false;
        /* fall through */
    case INS_BRANCH:
        next = *state;
        node = new_node(state, t, ins, NODE_BRANCH);
        weakgraph_add(&next.graph, &node);
        continue_each(brute, &next, t, ins, 0);
        return true;
    case INS_FENCE:
    case INS_SPAWN:
        next = *state;
        node = new_node(state, t, ins, ins->kind == INS_FENCE ? NODE_FENCE : NODE_CREATE);
        node.child = (uint8_t)ins->c;
        weakgraph_add(&next.graph, &node);
        if (ins->kind == INS_SPAWN)
            thread_start(brute->code, (unsigned)ins->c, &next.thread[ins->c]);
        continue_from(brute, &next, t, 0);
        return true;
    default: return false;
    }
}

/* ---- The search ------------------------------------------------------------------ */

static bool is_active(const State *state, unsigned t)
{
    return state->thread[t].exists && !state->thread[t].ended;
}

static void keep(Brute *brute, const State *state, bool waits)
{
    Found found = {.graph = state->graph, .waits = waits};
    for (unsigned t = 0; t < brute->code->threads; t++)
        found.stopped = found.stopped || state->thread[t].stopped;
    VEC_PUSH(&brute->found, found);
}

static void visit(Brute *brute, const State *state)
{
    const Code *code = brute->code;
    bool final = true, waits = false;
    if (is_full(brute, state)) {
        brute->tried = brute->limit;
        return;
    }
    for (unsigned t = 0; t < code->threads; t++)
        if (is_active(state, t) && try_at_once(brute, state, t, thread_next(code, t, &state->thread[t])))
            return;
    for (unsigned t = 0; t < code->threads; t++) {
        if (!is_active(state, t))
            continue;
        const Ins *ins = thread_next(code, t, &state->thread[t]);
        bool waiting = ins_is_weak(ins) ? try_read(brute, state, t, ins) : try_strong(brute, state, t, ins);
        waits = waits || waiting;
        final = final && waiting;
    }
    if (final)
        keep(brute, state, waits);
}

static int by_name(const void *a, const void *b)
{
    const Found *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

static void sort(Brute *brute)
{
    FoundVec *found = &brute->found;
    for (uint32_t i = 0; i < found->count; i++)
        found->items[i].name = weakgraph_name(brute->code, &found->items[i].graph);
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, by_name);
}

bool brute_search(Brute *brute, const Code *code, MemoryModel memory)
{
    State state = {0};
    brute->code = code;
    brute->memory = memory;
    brute->found.count = 0;
    brute->tried = 0;
    memset(brute->table, 0, table_room(brute) * sizeof *brute->table);
    state.inputs = inputs_all(code);
    memcpy(state.value, code->initial, sizeof state.value);
    for (unsigned t = 0; t < code->roots; t++)
        thread_start(code, t, &state.thread[t]);
    visit(brute, &state);
    sort(brute);
    return brute->tried < brute->limit;
}

Found *brute_find(const Brute *brute, uint64_t name)
{
    Found key = {.name = name};
    return brute->found.count ? bsearch(&key, brute->found.items, brute->found.count, sizeof key, by_name) : NULL;
}
