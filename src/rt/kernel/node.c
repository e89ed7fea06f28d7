/* node.c - see node.h */
#include "rt/kernel/node.h"

#include <string.h>

#include "base/mem.h"
#include "rt/kernel/process.h"
#include "rt/kernel/resource.h"

enum { MAX_KEPT = 24 };

static struct {
    struct {
        void *variable;
        size_t size, offset;
    } kept[MAX_KEPT];
    unsigned count;
    size_t size;               /* of all of them */
    unsigned char *of[RT_NODES], *initially[RT_NODES];
} state;

static struct {
    uint32_t threads;
    AgentId first;             /* its main thread       */
    unsigned starts;
    int64_t running;           /* value of node_resource */
    bool ended;
} nodes[RT_NODES];

/* ---- Who they are ------------------------------------------------------------------------- */

unsigned node_count(void) { return &sennit_cluster ? sennit_cluster.count : 0; }
const SennitNode *node_get(unsigned node) { return &sennit_cluster.nodes[node - 1]; }

unsigned node_of_address(uint32_t address)
{
    for (unsigned node = 1; node <= node_count(); node++)
        if (node_get(node)->address == address)
            return node;
    return 0;
}

unsigned node_of_name(const char *name)
{
    for (unsigned node = 1; node <= node_count(); node++)
        if (strcmp(node_get(node)->name, name) == 0)
            return node;
    return 0;
}

/* The main threads of the nodes are the first children of agent 0; the others are cuts. */
unsigned node_of_agent(AgentId agent)
{
    const AgentName *names = rt.shared->agents;
    while (node_count() && agent && names[agent].creator)
        agent = names[agent].creator;
    return node_count() && agent && names[agent].nth <= node_count() ? names[agent].nth : 0;
}

/* ---- State of a process ------------------------------------------------------------------- */

void node_keep(void *variable, size_t size)
{
    if (!node_count() && !process_is_possible())
        return;
    state.kept[state.count].variable = variable;
    state.kept[state.count].size = size;
    state.kept[state.count++].offset = state.size;
    state.size += size;
}

size_t node_keep_size(void) { return state.size; }

void node_keep_save(unsigned char *to)
{
    for (unsigned i = 0; i < state.count; i++)
        memcpy(to + state.kept[i].offset, state.kept[i].variable, state.kept[i].size);
}

void node_keep_load(const unsigned char *from)
{
    for (unsigned i = 0; i < state.count; i++)
        memcpy(state.kept[i].variable, from + state.kept[i].offset, state.kept[i].size);
}

void node_begin(void)
{
    for (unsigned node = 0; node <= node_count(); node++) {
        state.of[node] = mem_alloc(state.size + 1);
        state.initially[node] = mem_alloc(state.size + 1);
        node_keep_save(state.of[node]);
    }
}

void node_settle(void)
{
    node_switch(0);
    for (unsigned node = 0; node <= node_count(); node++)
        memcpy(state.initially[node], state.of[node], state.size);
}

void node_restore(void) { node_keep_load(state.initially[rt.node]); }

void node_switch(unsigned node)
{
    node_keep_save(state.of[rt.node]);
    node_keep_load(state.of[node]);
    rt.node = (uint8_t)node;
}

/* ---- Threads and ends --------------------------------------------------------------------- */

void node_reset(void)
{
    if (!node_count())
        return;
    for (unsigned node = 0; node <= node_count(); node++)
        memcpy(state.of[node], state.initially[node], state.size);
    node_keep_load(state.of[0]);
    rt.node = 0;
    for (unsigned node = 0; node <= node_count(); node++) {
        nodes[node].threads = nodes[node].starts = 0;
        nodes[node].running = 1;
        nodes[node].ended = false;
    }
}

unsigned node_start(void)
{
    nodes[rt.self->node].threads = 1;
    nodes[rt.self->node].first = rt.self->strand;
    return nodes[rt.self->node].starts++;
}

unsigned node_starts(void) { return nodes[rt.self->node].starts; }
bool node_starts_again(void) { return node_get(rt.self->node)->starts_again; }

void node_note_thread(void) { nodes[rt.self->node].threads++; }
bool node_has_threads(void) { return nodes[rt.self->node].threads > 1; }

bool node_may_end(void)
{
    const Thread *self = rt.self;
    bool alone = self->children == self->assistants && self->strand == nodes[self->node].first;
    return self->node && !self->travels && !self->ends && !alone;
}

bool node_is_first(void) { return rt.self && rt.self->node && rt.self->strand == nodes[rt.self->node].first; }

bool node_is_mortal(void)
{
    return rt.self && rt.self->node && !rt.self->travels && !node_get(rt.self->node)->client;
}

int64_t *node_running(unsigned node) { return &nodes[node].running; }
uint64_t node_resource(unsigned node) { return resource_make(RES_NODE, node); }

void node_note_end(void)
{
    nodes[rt.self->node].ended = true;
    rt.self->ends = true;
}


static bool some_client_runs(void)
{
    for (unsigned node = 1; node <= node_count(); node++)
        if (node_get(node)->client && !nodes[node].ended)
            return true;
    return false;
}

bool node_is_idle(const Thread *thread)
{
    if (thread->travels)
        return true;
    return thread->node && (nodes[thread->node].ended || (!node_get(thread->node)->client && !some_client_runs()));
}
