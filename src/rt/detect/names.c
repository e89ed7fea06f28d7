/* names.c - see names.h */
#include "rt/detect/names.h"

#include <inttypes.h>
#include <string.h>

#include "rt/abi/ops.h"
#include "rt/actors/actor_name.h"
#include "rt/detect/field.h"
#include "rt/detect/symbols.h"
#include "rt/io/descriptor.h"
#include "rt/file/files.h"
#include "rt/io/futex.h"
#include "rt/io/open_file.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/node.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/seat.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/word.h"
#include "rt/sync/condvar.h"
#include "rt/sync/hidden.h"
#include "rt/weak/wide.h"

/* ---- Agents -------------------------------------------------------------------- */

void name_agent(AgentId agent, char *text, size_t size)
{
    if (agent >= rt.shared->agent_count) {
        snprintf(text, size, "unknown agent");
        return;
    }
    char path[64];
    unsigned node = node_of_agent(agent);
    const char *start = agent ? symbols_find(rt.shared->agents[agent].start, NULL) : NULL;
    agents_path(agent, path, sizeof path);
    if (node && !rt.shared->agents[agent].creator) {
        snprintf(text, size, "%s/main", node_get(node)->name);
        return;
    }
    if (node && size > strlen(node_get(node)->name) + 1) {
        size_t length = (size_t)snprintf(text, size, "%s/", node_get(node)->name);
        text += length;
        size -= length;
    }
    if (!agent)
        snprintf(text, size, node_count() ? "cluster" : "main");
    else if (*rt.shared->agents[agent].name)
        snprintf(text, size, "%s", rt.shared->agents[agent].name);
    else if (start)
        snprintf(text, size, "%s (%s)", start, path);
    else
        snprintf(text, size, "thread %s", path);
}

void name_seat(uint32_t seat, char *text, size_t size) { name_agent(seat_agent(seat), text, size); }

/* ---- Memory --------------------------------------------------------------------- */

static void name_offset(char *text, size_t size, const char *base, uint64_t offset)
{
    if (offset)
        snprintf(text, size, "%s+%" PRIu64, base, offset);
    else
        snprintf(text, size, "%s", base);
}

/* What a block is called (NULL: a heap block, by its number), and what its beginning is. */
static const struct {
    const char *noun, *begun;
} kinds[] = {
    [BLOCK_HEAP] = {NULL, "allocated"},
    [BLOCK_LOCAL] = {NULL, "allocated"},
    [BLOCK_THREAD_LOCAL] = {"thread-local", "allocated"},
    [BLOCK_STREAM] = {"stream", "opened"},
    [BLOCK_KEY] = {"key", "created"},
};

/* "main#2", "0.1#1+8": the second block of main, a place in the first block of thread 0.1 */
static void name_block_briefly(const Block *block, uint64_t address, char *text, size_t size)
{
    char path[64], base[96];
    agents_path(block->agent, path, sizeof path);
    const char *who = block->agent ? path : "main";
    if (kinds[block->kind].noun)
        snprintf(base, sizeof base, "%s of %s", kinds[block->kind].noun, who);
    else
        snprintf(base, sizeof base, "%s#%u", who, block->number);
    name_offset(text, size, base, address - block->address);
}

static void name_block(const Block *block, uint64_t address, char *text, size_t size)
{
    const SennitSite *site = (const SennitSite *)(uintptr_t)block->site;
    bool beside = address - block->address >= block->size + !block->size;
    char brief[112], where[96] = "";
    name_block_briefly(block, beside ? block->address : address, brief, sizeof brief);
    if (site && site->file) {
        const char *slash = strrchr(site->file, '/');
        snprintf(where, sizeof where, " (%s at %.60s:%u)", kinds[block->kind].begun,
                 slash ? slash + 1 : site->file, site->line);
    }
    const char *what = kinds[block->kind].noun ? "" : "heap block ";
    snprintf(text, size, "%s%s%s%s", beside ? "memory beside " : "", what, brief, where);
}

static void name_address(uint64_t address, char *text, size_t size)
{
    char who[48];
    const SennitGlobal *global = globals_find(address);
    const Block *block = memory_find_block(address);
    if (global) {
        char part[96];
        field_name(global->layout, address - address_of(global->address), part, sizeof part);
        snprintf(text, size, "%s%s", global->name, part);
    } else if (block) {
        name_block(block, address, text, size);
    } else if (in_stacks(address)) {
        name_seat(stack_seat(address), who, sizeof who);
        snprintf(text, size, "variable on the stack of %s (top-%" PRIu64 ")", who,
                 (uint64_t)(stack_bottom(stack_seat(address)) + STACK_STRIDE - address));
    } else if (in_heaps(address) && address - ARENA_BASE - HEAP_OFFSET < HEAP_SPAN) {
        name_seat(heap_seat(address), who, sizeof who);
        snprintf(text, size, "memory of %s", who);
    } else {
        snprintf(text, size, "memory at 0x%" PRIx64, address);
    }
}

/* The same for the texts of steps, which are short. */
static void name_address_briefly(uint64_t address, char *text, size_t size)
{
    const Block *block = globals_find(address) ? NULL : memory_find_block(address);
    if (block && address - block->address < block->size)
        name_block_briefly(block, address, text, size);
    else
        name_address(address, text, size);
}

/* ---- Resources -------------------------------------------------------------------- */

static void name_of_agent_resource(const char *what, uint64_t agent, char *text, size_t size)
{
    char who[48];
    name_agent((AgentId)agent, who, sizeof who);
    snprintf(text, size, "%s %s", what, who);
}

/* "SIGCHLD"; those of real time have no name. */
static void name_kind_of_signal(int number, char *text, size_t size)
{
    const char *name = sigabbrev_np(number);
    if (name)
        snprintf(text, size, "SIG%s", name);
    else
        snprintf(text, size, "signal %d", number);
}

typedef void NameAddress(uint64_t address, char *text, size_t size);

/* What a thread in a condition wait or a futex wait waits for; on which object is known at the end. */
static void name_signal(NameAddress *name_memory, AgentId agent, char *text, size_t size)
{
    const void *futex = futex_waited_at(agent);
    const void *object = futex ? futex : condvar_waited_on(agent);
    char what[128];
    if (object)
        name_memory(address_of(object), what, sizeof what);
    snprintf(text, size, "a %s%s%s", futex ? "wake-up" : "signal", object ? " on " : "", object ? what : "");
}

static void name_other(uint64_t name, char *text, size_t size)
{
    if (name >> 32)
        snprintf(text, size, "semaphore names");
    else
        snprintf(text, size, "key %" PRIu64, name);
}

static void name_file(uint64_t hash, char *text, size_t size)
{
    const char *name = files_name_of_hash(hash);
    snprintf(text, size, "%s", name ? name : "a file");
}

static void name_releases(NameAddress *name_memory, uint64_t lock, char *text, size_t size)
{
    char what[128];
    name_memory(lock, what, sizeof what);
    snprintf(text, size, "data protected by %s", what);
}

static void name_link(uint64_t name, char *text, size_t size)
{
    char low[48], high[48];
    if (name & LINK_OF_NODES) {
        snprintf(text, size, "the link between %s and %s", node_get(name >> 8 & 0xff)->name,
                 node_get(name & 0xff)->name);
        return;
    }
    name_agent((AgentId)(name & 0xfffffff), low, sizeof low);
    name_agent((AgentId)(name >> 28), high, sizeof high);
    snprintf(text, size, "the link between %s and %s", low, high);
}

static void name_socket(const char *what, uint64_t name, char *text, size_t size)
{
    unsigned node = descriptor_node_of_name(name);
    snprintf(text, size, "%ssocket %u%s%s", what, descriptor_of_name(name), node ? " of " : "",
             node ? node_get(node)->name : "");
}

static void name_resource_by(NameAddress *name_memory, uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    uint64_t name = resource & 0xffffffffffffffull;
    switch ((ResourceKind)(resource >> 56)) {
    case RES_MEMORY:
    case RES_STAMP:
    case RES_UPDATES:
        name_memory(word_address(resource) + (lanes ? (unsigned)__builtin_ctz(lanes) : 0), text, size);
        break;
    case RES_END: name_of_agent_resource("the end of", name, text, size); break;
    case RES_WAKE: name_signal(name_memory, (AgentId)name, text, size); break;
    case RES_BARRIER: name_memory(name & 0xffffffffffffull, text, size); break; /* without its round */
    case RES_OTHER: name_other(name, text, size); break;
    case RES_THREAD_NAME: name_of_agent_resource("the name of", name, text, size); break;
    case RES_CANCEL: name_of_agent_resource("cancellation of", name, text, size); break;
    case RES_ACTOR: name_of_agent_resource("messages of", name, text, size); break;
    case RES_MAILBOX: name_of_agent_resource("the mailbox of", name, text, size); break;
    case RES_LINK: name_link(name, text, size); break;
    case RES_FUTEX: name_memory(resource_address(name) & ~3ull, text, size); break;
    case RES_PIPE: snprintf(text, size, "pipe %u", descriptor_of_name(name)); break;
    case RES_FLOW: name_socket("", name >> 6, text, size); break;
    case RES_SEGMENT: name_socket("bytes of ", name >> 26, text, size); break;
    case RES_SOCKET: name_socket(name >> 4 & 1 ? "the end accepted from " : "", name >> 5, text, size); break;
    case RES_PORT: snprintf(text, size, "an address of sockets"); break;
    case RES_SIGNAL: name_kind_of_signal((int)(name & 0xff), text, size); break;
    case RES_PENDING: snprintf(text, size, "%s", name ? "signals of the thread" : "signals of the process"); break;
    case RES_ACTOR_GO: snprintf(text, size, "the start of the actors"); break;
    case RES_ATOMIC_SECTION: snprintf(text, size, "atomic section"); break;
    case RES_RELEASES: name_releases(name_memory, name, text, size); break;
    case RES_DESCRIPTOR: open_file_name(name, text, size); break;
    case RES_FILE:
    case RES_NAME: name_file(name, text, size); break;
    case RES_HOLDERS: snprintf(text, size, "descriptor %u", descriptor_of_name(name)); break;
    case RES_PROCESS: name_agent((AgentId)name, text, size); break;
    case RES_NODE: snprintf(text, size, "node %s", node_get((unsigned)name)->name); break;
    case RES_HIDDEN: snprintf(text, size, "%s", hidden_name(name)); break;
    case RES_CLOCK: snprintf(text, size, "the clock"); break;
    default:
        if (resource)
            name_memory(resource_address(name), text, size);
        else
            snprintf(text, size, "nothing");
    }
}

void name_resource(uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    name_resource_by(name_address, resource, lanes, text, size);
}

void name_resource_briefly(uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    name_resource_by(name_address_briefly, resource, lanes, text, size);
}

/* ---- Steps -------------------------------------------------------------------------- */

static const char *const verbs[] = {
#define OP(name, verb) verb,
#include "rt/abi/ops.def"
#undef OP
};

enum { VALUE_TEXT = 128 };

/* Pointers are shown as what they point to, if that is known. */
static bool show_pointer(uint64_t value, char *text)
{
    const SennitGlobal *global = globals_find(value);
    const Block *block = global ? NULL : memory_find_block(value);
    char target[VALUE_TEXT - 1];
    if (!global && !(block && value - block->address < block->size + !block->size))
        return false;
    name_address_briefly(value, target, sizeof target);
    snprintf(text, VALUE_TEXT, "&%s", target);
    return true;
}

/* Of an atomic object of 16 bytes, as a structure of two numbers. */
static void show_halves(uint64_t low, uint64_t high, char *text)
{
    char first[VALUE_TEXT], second[VALUE_TEXT];
    if (!show_pointer(low, first))
        snprintf(first, sizeof first, "%" PRId64, (int64_t)low);
    if (!show_pointer(high, second))
        snprintf(second, sizeof second, "%" PRId64, (int64_t)high);
    snprintf(text, VALUE_TEXT, "{%.60s, %.60s}", first, second);
}

static void show_wide(uint64_t name, char *text)
{
    uint64_t halves[2];
    if (wide_halves(name, halves))
        show_halves(halves[0], halves[1], text);
    else
        snprintf(text, VALUE_TEXT, "16 bytes #%06x", (unsigned)(name & 0xffffff));
}

/* Under sequential consistency such a step has an access for each half. */
static bool is_pair(const Access *accesses, uint32_t count)
{
    return count > 1 && accesses[0].order == ORDER_STRONG && accesses[0].lanes == LANES_ALL &&
           accesses[0].resource >> 56 == RES_MEMORY && accesses[1].lanes == LANES_ALL &&
           accesses[1].resource == accesses[0].resource + 1;
}

/* A weak step of 16 bytes is marked behind its access. */
static bool is_wide(const Access *access, uint32_t count)
{
    return access->order != ORDER_STRONG && count > 1 && access[1].resource == resource_make(RES_NEWER, 1);
}

/* Values of memory are shown as signed numbers of their width, as C programmers expect. */
static void show_value(const Access *access, uint32_t count, int64_t value, char *text)
{
    unsigned size = (unsigned)__builtin_popcount(access->lanes);
    bool memory = access->resource >> 56 == RES_MEMORY;
    unsigned shift = memory && size > 0 && size < 8 ? 64 - 8 * size : 0;
    if (is_wide(access, count)) {
        show_wide((uint64_t)value, text);
        return;
    }
    if (memory && size == 8 && show_pointer((uint64_t)value, text))
        return;
    snprintf(text, VALUE_TEXT, "%" PRId64, (int64_t)((uint64_t)value << shift) >> shift);
}

void name_value(const Access *access, uint32_t count, int64_t value, char *text, size_t size)
{
    char shown[VALUE_TEXT];
    show_value(access, count, value, shown);
    snprintf(text, size, "%s", shown);
}

/* Under weak memory: the step did not read the last write, or wrote before it in coherence order. */
static void name_newer(const Access *accesses, uint32_t count, char *text, size_t size)
{
    char value[VALUE_TEXT];
    size_t used = strlen(text);
    const Access *newer = &accesses[count - 1];
    if (newer->resource != resource_make(RES_NEWER, 0))
        return;
    show_value(accesses, count, newer->after, value);
    const char *how = accesses[0].mode != MODE_READ              ? " (late, stays %s)"
                      : newer->after == accesses[0].before ? " (stale, an older %s)"
                                                               : " (stale, not %s)";
    snprintf(text + used, size - used, how, value);
}

static void name_memory_step(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    const Access *access = &accesses[0];
    char what[128], before[VALUE_TEXT], after[VALUE_TEXT], expected[VALUE_TEXT];
    name_resource_by(name_address_briefly, access->resource, access->lanes, what, sizeof what);
    show_value(access, count, access->before, before);
    show_value(access, count, access->after, after);
    show_value(access, count, access->operand, expected);
    if (is_pair(accesses, count) && op >= OP_ATOMIC_LOAD && op <= OP_ATOMIC_CAS) {
        show_halves((uint64_t)access[0].before, (uint64_t)access[1].before, before);
        show_halves((uint64_t)access[0].after, (uint64_t)access[1].after, after);
    }
    if (op == OP_ATOMIC_CAS && access->mode == MODE_READ)
        snprintf(text, size, "cas %s: %s, expected %s, fails", what, before, expected);
    else if (access->mode == MODE_READ)
        snprintf(text, size, "%s %s: %s", verbs[op], what, before);
    else
        snprintf(text, size, "%s %s: %s -> %s", verbs[op], what, before, after);
    name_newer(accesses, count, text, size);
}

static const char *fence_name(const Access *access)
{
    static const char *const names[] = {[ORDER_STRONG] = "", [ORDER_RELAXED] = " relaxed", [ORDER_ACQUIRE] = " acquire",
                                        [ORDER_RELEASE] = " release", [ORDER_ACQ_REL] = " acq_rel",
                                        [ORDER_SEQ_CST] = " seq_cst"};
    return names[access->order];
}

static bool is_agent_resource(uint64_t resource)
{
    uint64_t kind = resource >> 56;
    return kind == RES_END || kind == RES_WAKE || kind == RES_CANCEL;
}

/* A signal or broadcast, and the threads it wakes. */
static void name_wake_up(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    char what[128], who[64], list[160] = "";
    name_resource_by(name_address_briefly, accesses[0].resource, LANES_ALL, what, sizeof what);
    for (uint32_t i = 1; i < count; i++) {
        size_t used = strlen(list);
        if (accesses[i].resource >> 56 != RES_WAKE)
            continue;
        name_agent((AgentId)accesses[i].resource, who, sizeof who);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", who);
    }
    snprintf(text, size, "%s %s: wakes %s", verbs[op], what, *list ? list : "no thread");
}

static void name_primitive_step(uint16_t op, const Access *access, char *text, size_t size)
{
    char what[128];
    if (is_agent_resource(access->resource))
        name_agent((AgentId)access->resource, what, sizeof what);
    else
        name_resource_by(name_address_briefly, access->resource, access->lanes, what, sizeof what);
    bool failed = access->role == ROLE_SWITCH && access->mode == MODE_READ;
    bool counts = access->resource >> 56 == RES_SEM;
    if (op == OP_EXIT)
        snprintf(text, size, "exit");
    else if (op == OP_COND_WAKE || op == OP_FUTEX_RETURN)
        snprintf(text, size, "wakes up");
    else if (counts && !failed)
        snprintf(text, size, "%s %s: %" PRId64 " -> %" PRId64, verbs[op], what, access->before, access->after);
    else
        snprintf(text, size, "%s %s%s", verbs[op], what, failed ? ": fails" : "");
}

void name_step(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    if (count > 1 && accesses[0].resource >> 56 == RES_NODE) { /* see touch */
        accesses++;
        count--;
    }
    if (op >= OP_KIND_COUNT)
        snprintf(text, size, "?");
    else if (!count)
        snprintf(text, size, "%s", verbs[op]);
    else if (op == OP_FENCE)
        snprintf(text, size, "%s%s", verbs[op], fence_name(accesses));
    else if (op == OP_ACTOR_RECEIVE || op == OP_ACTOR_TIMEOUT || op == OP_ACTOR_START || op == OP_ACTOR_READY)
        actor_name_step(op, &accesses[0], text, size);
    else if (op == OP_COND_SIGNAL || op == OP_COND_BROADCAST || op == OP_FUTEX_WAKE)
        name_wake_up(op, accesses, count, text, size);
    else if (accesses[0].resource >> 56 == RES_MEMORY)
        name_memory_step(op, accesses, count, text, size);
    else
        name_primitive_step(op, &accesses[0], text, size);
}
