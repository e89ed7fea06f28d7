/* names.c - see names.h */
#include "rt/names.h"

#include <inttypes.h>
#include <string.h>

#include "rt/globals.h"
#include "rt/memory.h"

/* ---- Agents -------------------------------------------------------------------- */

void name_agent(AgentId agent, char *text, size_t size)
{
    if (agent >= rt.shared->agent_count) {
        snprintf(text, size, "nobody");
        return;
    }
    char path[64];
    const char *start = agent ? symbol_find(rt.shared->agents[agent].start, NULL) : NULL;
    agents_path(agent, path, sizeof path);
    if (!agent)
        snprintf(text, size, "main");
    else if (start)
        snprintf(text, size, "%s (%s)", start, path);
    else
        snprintf(text, size, "thread %s", path);
}

/* ---- Memory --------------------------------------------------------------------- */

static void name_offset(char *text, size_t size, const char *base, uint64_t offset)
{
    if (offset)
        snprintf(text, size, "%s+%" PRIu64, base, offset);
    else
        snprintf(text, size, "%s", base);
}

static void name_block(const Block *block, uint64_t address, char *text, size_t size)
{
    const SennitSite *site = (const SennitSite *)(uintptr_t)block->site;
    char who[48], base[160];
    name_agent(block->agent, who, sizeof who);
    if (site && site->file)
        snprintf(base, sizeof base, "heap block #%u of %s (allocated at %.60s:%u)", block->number, who, site->file, site->line);
    else
        snprintf(base, sizeof base, "heap block #%u of %s", block->number, who);
    if (address - block->address >= block->size + !block->size)
        snprintf(text, size, "memory beside %s", base);
    else
        name_offset(text, size, base, address - block->address);
}

static void name_address(uint64_t address, char *text, size_t size)
{
    char who[48];
    const SennitGlobal *global = globals_find(address);
    const Block *block = memory_find_block(address);
    if (global) {
        name_offset(text, size, global->name, address - address_of(global->address));
    } else if (block) {
        name_block(block, address, text, size);
    } else if (in_stacks(address)) {
        AgentId agent = (AgentId)((address - ARENA_BASE) / STACK_STRIDE);
        name_agent(agent, who, sizeof who);
        snprintf(text, size, "variable on the stack of %s (top-%" PRIu64 ")", who,
                 (uint64_t)(stack_bottom(agent) + STACK_STRIDE - address));
    } else if (in_heaps(address) && address - ARENA_BASE - HEAP_OFFSET < HEAP_SPAN) {
        name_agent((AgentId)((address - ARENA_BASE - HEAP_OFFSET) / HEAP_STRIDE), who, sizeof who);
        snprintf(text, size, "memory of %s", who);
    } else {
        snprintf(text, size, "memory at 0x%" PRIx64, address);
    }
}

/* ---- Resources -------------------------------------------------------------------- */

static void name_of_agent_resource(const char *what, uint64_t agent, char *text, size_t size)
{
    char who[48];
    name_agent((AgentId)agent, who, sizeof who);
    snprintf(text, size, "%s %s", what, who);
}

void name_resource(uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    uint64_t name = resource & 0xffffffffffffffull;
    switch ((ResourceKind)(resource >> 56)) {
    case RES_MEMORY: name_address((name << 3) + (lanes ? (unsigned)__builtin_ctz(lanes) : 0), text, size); break;
    case RES_END: name_of_agent_resource("the end of", name, text, size); break;
    case RES_WAKE: name_of_agent_resource("a wake-up of", name, text, size); break;
    case RES_CANCEL: name_of_agent_resource("cancellation of", name, text, size); break;
    case RES_ATOMIC_SECTION: snprintf(text, size, "atomic section"); break;
    case RES_CLOCK: snprintf(text, size, "the clock"); break;
    default:
        if (resource)
            name_address(name, text, size);
        else
            snprintf(text, size, "nothing");
    }
}

/* ---- Steps -------------------------------------------------------------------------- */

static const char *const verbs[] = {
#define OP(name, verb) verb,
#include "rt/ops.def"
#undef OP
};

/* Values of memory are shown as signed numbers of their width, as C programmers expect. */
static int64_t shown_value(const Access *access, int64_t value)
{
    unsigned size = (unsigned)__builtin_popcount(access->lanes);
    if (access->resource >> 56 != RES_MEMORY || size >= 8 || !size)
        return value;
    unsigned shift = 64 - 8 * size;
    return (int64_t)((uint64_t)value << shift) >> shift;
}

static void name_memory_step(uint16_t op, const Access *access, char *text, size_t size)
{
    char what[128];
    int64_t before = shown_value(access, access->before), after = shown_value(access, access->after);
    name_resource(access->resource, access->lanes, what, sizeof what);
    if (op == OP_ATOMIC_CAS && access->mode == MODE_READ)
        snprintf(text, size, "cas %s: %" PRId64 ", expected %" PRId64 ", fails", what, before,
                 shown_value(access, access->operand));
    else if (access->mode == MODE_READ)
        snprintf(text, size, "%s %s: %" PRId64, verbs[op], what, before);
    else
        snprintf(text, size, "%s %s: %" PRId64 " -> %" PRId64, verbs[op], what, before, after);
}

static bool is_agent_resource(uint64_t resource)
{
    uint64_t kind = resource >> 56;
    return kind == RES_END || kind == RES_WAKE || kind == RES_CANCEL;
}

static void name_model_step(uint16_t op, const Access *access, char *text, size_t size)
{
    char what[128];
    if (is_agent_resource(access->resource))
        name_agent((AgentId)access->resource, what, sizeof what);
    else
        name_resource(access->resource, access->lanes, what, sizeof what);
    bool failed = access->role == ROLE_SWITCH && access->mode == MODE_READ;
    bool counts = access->resource >> 56 == RES_SEM;
    if (op == OP_EXIT)
        snprintf(text, size, "exit");
    else if (counts && !failed)
        snprintf(text, size, "%s %s: %" PRId64 " -> %" PRId64, verbs[op], what, access->before, access->after);
    else
        snprintf(text, size, "%s %s%s", verbs[op], what, failed ? ": fails" : "");
}

void name_step(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    if (op >= OP_KIND_COUNT)
        snprintf(text, size, "?");
    else if (!count)
        snprintf(text, size, "%s", verbs[op]);
    else if (accesses[0].resource >> 56 == RES_MEMORY)
        name_memory_step(op, &accesses[0], text, size);
    else
        name_model_step(op, &accesses[0], text, size);
}
