/* hidden.c - see hidden.h
 *
 * State that the library does not lock is a variable of the program for the race detector: the record in
 * sennit_stand_ins gives it a name, and memory for what is known of its accesses.
 */
#include "rt/sync/hidden.h"

#include <string.h>

#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/sync/plain.h"

enum { HIDDEN_NODE_SHIFT = 16 }; /* in names of resources */

static const struct {
    const char *text;
    bool unsafe;
} states[] = {
#define HIDDEN(name, text) {text, false},
#define UNSAFE(name, text) {text, true},
#include "rt/abi/hidden.def"
#undef HIDDEN
#undef UNSAFE
};

/* Of the program, or of each node. */
static uint64_t cells[RT_NODES][HIDDEN_COUNT];
static const SennitGlobal records[] __attribute__((section("sennit_stand_ins"), used, aligned(8))) = {
#define HIDDEN(name, text) {&cells[0][HIDDEN_##name], sizeof **cells, text, NULL, NULL, 0},
#define UNSAFE HIDDEN
#include "rt/abi/hidden.def"
#undef HIDDEN
#undef UNSAFE
    {&cells[1], sizeof cells - sizeof *cells, "the hidden state of a node", NULL, NULL, 0},
};

uint64_t hidden_resource(Hidden state)
{
    return resource_make(RES_HIDDEN, ((uint64_t)state + 1) | process_bits(HIDDEN_NODE_SHIFT));
}

const char *hidden_name(uint64_t name)
{
    name &= (1u << HIDDEN_NODE_SHIFT) - 1;
    return name && name <= HIDDEN_COUNT ? states[name - 1].text : "hidden state";
}

/* The value of a state: how often it was written, so that a step that changes it does not look like one that reads. */
static int64_t versions[RT_NODES][HIDDEN_COUNT];

void hidden_init(void)
{
    if (!node_count())
        node_keep(&versions[0], sizeof versions[0]);
}

static int64_t *version_of(Hidden state)
{
    static uint32_t execution;
    if (execution != rt.execution)
        memset(versions, 0, sizeof versions);
    execution = rt.execution;
    return &versions[node_self()][state];
}

bool hidden_is_shared(void)
{
    return rt.self && (rt.self->node ? node_has_threads() : rt.ex->agent_count > 1);
}

/* `other`: a state that is read as well; HIDDEN_COUNT: none. */
static void use(Hidden state, Hidden other, OpKind op, Mode mode)
{
    if (!hidden_is_shared() || (process_count() > 1 && process_is_single()))
        return;
    step_begin(op, hidden_resource(state))->mode = (uint8_t)mode;
    if (other != HIDDEN_COUNT)
        step_touch(hidden_resource(other), MODE_READ);
    step_wait();
    int64_t *version = version_of(state), before = *version;
    *version += mode == MODE_WRITE;
    step_value(0, before, *version);
    if (other != HIDDEN_COUNT)
        step_value(1, *version_of(other), *version_of(other));
    if (states[state].unsafe && mode == MODE_WRITE)
        plain_overwrite(&cells[node_self()][state], sizeof **cells);
    else if (states[state].unsafe)
        plain_use(&cells[node_self()][state], sizeof **cells);
    step_done();
}

void hidden_read(Hidden state) { use(state, HIDDEN_COUNT, OP_HIDDEN_READ, MODE_READ); }
void hidden_write(Hidden state) { use(state, HIDDEN_COUNT, OP_HIDDEN_WRITE, MODE_WRITE); }
void hidden_write_reading(Hidden state, Hidden other) { use(state, other, OP_HIDDEN_WRITE, MODE_WRITE); }
