/* graph.c - execution graphs and their names; see weak.h */
#include <stdio.h>
#include <string.h>

#include "weak.h"

const Ins *node_ins(const Code *code, const Node *node)
{
    return code_ins(code, node->thread, node->pc);
}

uint32_t weakgraph_add(WeakGraph *graph, const Node *node)
{
    uint32_t id = graph->count++;
    graph->node[id] = *node;
    graph->node[id].index = graph->length[node->thread];
    graph->of[node->thread][graph->length[node->thread]++] = (uint8_t)id;
    if (node->kind == NODE_STRONG)
        graph->strong[graph->strong_count++] = (uint8_t)id;
    return id;
}

bool nodes_conflict(const Code *code, const Node *a, const Node *b)
{
    const Ins *one = node_ins(code, a), *two = node_ins(code, b);
    for (unsigned i = 0; i < one->terms; i++)
        for (unsigned k = 0; k < two->terms; k++)
            if (one->term[i].resource == two->term[k].resource &&
                modes_conflict(term_mode(one, i, a->read), term_mode(two, k, b->read)))
                return true;
    return false;
}

/* ---- Names -------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t node_name(const WeakGraph *graph, uint8_t id)
{
    return id >= INITIAL ? id : (uint64_t)graph->node[id].thread << 5 | graph->node[id].index;
}

static uint64_t node_hash(const WeakGraph *graph, const Node *node)
{
    bool reads = node->kind == NODE_READ || node->kind == NODE_UPDATE;
    uint64_t values = (uint64_t)(uint8_t)node->read << 8 | (uint8_t)node->written;
    return (uint64_t)(uint8_t)node->outcome << 40 | values << 24 | (uint64_t)node->pc << 16 |
           (uint64_t)node->kind << 8 | (reads ? node_name(graph, node->from) : 0xffu);
}

/* Does it count which of two strong steps comes first? */
static bool ordered(const Code *code, const Node *a, const Node *b)
{
    return a->thread != b->thread && nodes_conflict(code, a, b);
}

uint64_t weakgraph_name(const Code *code, const WeakGraph *graph)
{
    uint64_t hash = 1;
    for (unsigned t = 0; t < code->threads; t++) {
        hash = mix(hash, 0xabcdef00u + t);
        for (unsigned i = 0; i < graph->length[t]; i++)
            hash = mix(hash, node_hash(graph, &graph->node[graph->of[t][i]]));
    }
    for (unsigned x = 0; x < LOCATIONS; x++) {
        hash = mix(hash, 0xabcdff00u + x);
        for (unsigned i = 0; i < graph->writes[x]; i++)
            hash = mix(hash, node_name(graph, graph->coherence[x][i]));
    }
    uint64_t pairs = 0;
    for (unsigned j = 0; j < graph->strong_count; j++)
        for (unsigned i = 0; i < j; i++)
            if (ordered(code, &graph->node[graph->strong[i]], &graph->node[graph->strong[j]]))
                pairs += mix(mix(3, node_name(graph, graph->strong[i])), node_name(graph, graph->strong[j]));
    return mix(hash, pairs);
}

/* ---- From executions ------------------------------------------------------ */

/* Places the node of a weak step: its first choice is the number of writes behind it. */
static bool place(WeakGraph *graph, Node *node, unsigned behind)
{
    unsigned x = node->location, writes = graph->writes[x];
    if (behind > writes)
        return false;
    unsigned at = writes - behind; /* the number of writes before it */
    if (node->kind != NODE_WRITE)
        node->from = at ? graph->coherence[x][at - 1] : (uint8_t)(INITIAL + x);
    uint32_t id = weakgraph_add(graph, node);
    if (node->kind == NODE_READ)
        return true;
    if (writes == MAX_WRITES)
        return false;
    memmove(&graph->coherence[x][at + 1], &graph->coherence[x][at], writes - at);
    graph->coherence[x][at] = (uint8_t)id;
    graph->writes[x]++;
    return true;
}

static bool add_event(const Code *code, const Execution *ex, const Event *event, WeakGraph *graph)
{
    if (event->agent >= code->threads || event->site > code->length[event->agent] || graph->count == MAX_NODES)
        return false;
    const Ins *ins = code_ins(code, event->agent, (unsigned)event->site);
    const Access *access = &ex->accesses[event->first_access];
    const Choice *choice = &ex->choices[event->first_choice];
    Node node = {.thread = (uint8_t)event->agent,
                 .pc = (uint8_t)event->site,
                 .location = ins->x,
                 .order = ins->order,
                 .from = NO_NODE};
    if (ins_is_weak(ins)) {
        bool writes = access->mode == MODE_WRITE;
        node.kind = (uint8_t)(!writes ? NODE_READ : ins->kind == INS_STORE ? NODE_WRITE : NODE_UPDATE);
        node.read = (int8_t)(ins->kind == INS_STORE ? 0 : access->before);
        node.written = (int8_t)(writes ? access->after : 0);
        node.order = ins->kind == INS_CAS && !writes ? ins->failed : ins->order;
        node.outcome = ins->asks && event->choice_count > 1 ? choice[1].taken == 0 : 0;
        bool may_fail = ins->weak && access->before == ins->c;
        return event->choice_count == 1u + (ins->asks > 0 || may_fail) && place(graph, &node, choice->taken);
    }
    switch ((InsKind)ins->kind) {
    case INS_FENCE: node.kind = NODE_FENCE; break;
    case INS_SPAWN:
        node.kind = NODE_CREATE;
        node.child = (uint8_t)ins->c;
        break;
    case INS_BRANCH:
        node.kind = NODE_BRANCH;
        node.outcome = choice->taken == 0;
        break;
    case INS_CHOOSE:
        node.kind = ins->terms ? NODE_STRONG : NODE_BRANCH;
        node.read = (int8_t)(ins->terms ? access->before : 0);
        node.outcome = (int8_t)choice->taken;
        break;
    case INS_TRY:
        node.kind = NODE_STRONG;
        node.read = access->mode != MODE_READ;
        break;
    default:
        node.kind = NODE_STRONG;
        node.read = (int8_t)(term_mode(ins, 0, true) == MODE_ACCUMULATE ? 0 : access->before);
        node.outcome = ins->asks && choice->taken == 0;
        break;
    }
    weakgraph_add(graph, &node);
    return true;
}

bool weakgraph_of_execution(const Code *code, const Execution *ex, WeakGraph *graph)
{
    memset(graph, 0, sizeof *graph);
    for (uint32_t i = 0; i < ex->event_count; i++)
        if (!add_event(code, ex, &ex->events[i], graph))
            return false;
    return true;
}
