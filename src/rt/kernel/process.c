/* process.c - see process.h
 *
 * Stacks have the same addresses in all processes too. So what exchanges memory runs on a stack of its own.
 */
#include "rt/kernel/process.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/coro.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/sem.h"

enum { STACK = 256 << 10, MOST_TAGS = 480 };

uint64_t process_tag;

static struct {
    bool possible;
    ProcessMemory memory;
    void (*end)(int signal);
    unsigned count;
    Process items[RT_PROCESSES];
    char *stack;
} processes = {.count = 1};

/* ---- Lifecycle ------------------------------------------------------------------------------ */

void process_init(bool possible, ProcessMemory memory, void (*end)(int signal))
{
    processes.possible = possible;
    processes.memory = memory;
    processes.end = end;
    if (possible)
        processes.stack = mem_alloc(STACK);
    for (unsigned i = 0; i < RT_PROCESSES; i++)
        processes.items[i].memory.whole = true;
}

void process_end_by(int signal)
{
    processes.end(signal);
    __builtin_unreachable();
}

bool process_is_possible(void) { return processes.possible; }

void process_reset(void)
{
    if (LIKELY(processes.count == 1 && !processes.items[0].forks))
        return;
    for (unsigned i = 0; i < processes.count; i++) {
        RtImage memory = processes.items[i].memory;
        unsigned char *kept = processes.items[i].kept;
        processes.items[i] = (Process){.memory = memory, .kept = kept};
    }
    processes.count = 1;
    process_tag = 0;
    rt.process = 0;
}

/* ---- Processes -------------------------------------------------------------------------------- */

unsigned process_count(void) { return processes.count; }
Process *process_get(unsigned process) { return &processes.items[process]; }

/* The first thread of a node has the node's number as its seat. */
int process_number(unsigned process)
{
    return process ? processes.items[process].number : IDENTITY_PROCESS + (int)node_self();
}

unsigned process_find(int number)
{
    for (unsigned i = 0; i < processes.count; i++)
        if (process_number(i) == number)
            return i;
    return UINT_MAX;
}

uint64_t process_resource(unsigned process) { return resource_make(RES_PROCESS, processes.items[process].tag); }

uint64_t process_bits_of(unsigned process, unsigned shift)
{
    return (uint64_t)(process ? processes.items[process].tag : node_self()) << shift;
}

bool process_is_single(void)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        if (thread == rt.self || thread->helps || thread->travels || thread->state == THREAD_ABSENT ||
            thread->process != rt.self->process)
            continue;
        if (thread->state != THREAD_OVER || !race_ordered(agent, race_clock_of(agent, rt.ex->agents[agent].steps - 1)))
            return false;
    }
    return true;
}

/* ---- Names ------------------------------------------------------------------------------------ */

static bool is_address(uint64_t resource)
{
    ResourceKind kind = (ResourceKind)(resource >> 56);
    if (kind == RES_BARRIER && process_tag) /* the bits of the tag count its rounds */
        report_not_modelled("a barrier in a process that fork has made");
    return (kind >= RES_LOCK && kind <= RES_ONCE) || kind == RES_RWLOCK || kind == RES_FUTEX || kind == RES_WRITERS;
}

bool resource_is_own(uint64_t resource)
{
    if (resource >> 56 == RES_MEMORY)
        return !in_shared_heaps((resource & ((1ull << WORD_TAG_SHIFT) - 1)) << 3);
    uint64_t address = resource_address(resource);
    return !in_shared_heaps(address) && !semaphore_is_named(address) && is_address(resource);
}

uint64_t resource_tagged(uint64_t resource)
{
    if (!resource_is_own(resource))
        return resource;
    return resource | process_tag << (resource >> 56 == RES_MEMORY ? WORD_TAG_SHIFT : OBJECT_ADDRESS_BITS);
}

/* ---- Exchanging memory ------------------------------------------------------------------------ */

static bool is_member(const Thread *thread, unsigned process)
{
    return thread->process == process && thread->state != THREAD_ABSENT && thread->state != THREAD_OVER;
}

/* A guard on memory, which is not in place any more when it is looked at. */
static bool reads_memory(const Access *access)
{
    return access->role == ROLE_GUARD && access->resource >> 56 == RES_MEMORY && resource_is_own(access->resource);
}

/* The values of the guards with which the thread waits: they do not change while its process is not in place. */
static void keep_values(Thread *thread)
{
    Pending *pending = &thread->pending;
    for (unsigned i = 0; thread->state == THREAD_PENDING && i < pending->count && pending->guards; i++) {
        if (!reads_memory(&pending->accesses[i]))
            continue;
        int64_t *value = transient_alloc(sizeof *value);
        *value = scheduler_guard_value(&pending->accesses[i], pending->live[i]);
        pending->live[i] = value;
    }
}

static void use_memory(Thread *thread)
{
    Pending *pending = &thread->pending;
    for (unsigned i = 0; thread->state == THREAD_PENDING && i < pending->count && pending->guards; i++)
        if (reads_memory(&pending->accesses[i]))
            pending->live[i] = NULL;
}

static void save(unsigned process)
{
    RtImage *image = &processes.items[process].memory;
    image_reset(image);
    processes.memory.save(image);
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        Thread *thread = thread_get(agent);
        if (!is_member(thread, process))
            continue;
        keep_values(thread);
        thread_save_stack(thread, image);
        identity_save(thread->seat, image);
    }
}

static void put_back(unsigned process)
{
    Process *self = &processes.items[process];
    processes.memory.put_back(&self->memory);
    node_keep_load(self->kept);
    process_tag = self->tag;
    rt.process = (uint8_t)process;
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        Thread *thread = thread_get(agent);
        if (thread->process != process || thread->state == THREAD_ABSENT)
            continue;
        seat_return(thread); /* also one that has ended, which others may join */
        use_memory(thread);
    }
}

/* What is to be done on the other stack. */
static struct {
    unsigned to;
    void *load;
} work;

static unsigned char *room_for_kept(Process *process)
{
    if (!process->kept)
        process->kept = mem_alloc(node_keep_size() + 1);
    return process->kept;
}

static bool has_members(unsigned process)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (is_member(thread_get(agent), process))
            return true;
    return false;
}

static void exchange(void *unused)
{
    (void)unused;
    node_keep_save(room_for_kept(&processes.items[rt.process]));
    if (has_members(rt.process))
        save(rt.process);
    put_back(work.to);
    coro_jump(work.load);
}

static void *on_own_stack(void (*entry)(void *), void *argument)
{
    return coro_prepare(address_of(processes.stack + STACK) & ~15ull, entry, argument);
}

void *process_exchange(unsigned process, void *load)
{
    work.to = process;
    work.load = load;
    return on_own_stack(exchange, NULL);
}

/* ---- Making a process -------------------------------------------------------------------------- */

static void copy(void *child)
{
    Thread *thread = child;
    Process *made = &processes.items[work.to];
    image_reset(&made->memory);
    processes.memory.save(&made->memory);
    thread_save_stack(thread, &made->memory);
    identity_save(thread->seat, &made->memory);
    coro_jump(thread->context);
}

/* The numbers of processes lie above those of threads. */
static int number_of(const Thread *child) { return IDENTITY_PROCESS + RT_SEATS + (int)child->own_seat; }

static void add_process(Thread *child)
{
    if (processes.count == RT_PROCESSES || child->id >= MOST_TAGS)
        thread_cut(CUT_AGENTS);
    Process *made = &processes.items[processes.count];
    *made = (Process){.first = child->id, .parent = rt.process, .number = number_of(child), .tag = child->id,
                      .memory = made->memory, .kept = room_for_kept(made)};
    child->process = (uint8_t)processes.count++;
    processes.items[rt.process].forks++;
}

unsigned process_copy(Thread *child, void (*begin)(unsigned process))
{
    Thread *parent = rt.self;
    add_process(child);
    unsigned made = child->process;
    unsigned char *kept = room_for_kept(&processes.items[rt.process]);
    node_keep_save(kept);
    begin(made);
    node_keep_save(processes.items[made].kept);
    node_keep_load(kept);
    work.to = made;
    coro_switch(&child->context, on_own_stack(copy, child));
    return rt.self == parent ? made : 0;
}
