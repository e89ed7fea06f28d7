/* leak.c - see leak.h; conservative: every word that could be an address of a block counts as one */
#include "rt/detect/leak.h"

#include <stdlib.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/transient.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/tls.h"
#include "rt/spin/repeat.h"

/* Reachable blocks whose contents have not been scanned yet. */
typedef struct Work {
    Block **items;
    size_t count, capacity;
} Work;

static void push(Work *work, Block *block)
{
    if (work->count == work->capacity) {
        work->capacity = work->capacity ? 2 * work->capacity : 64;
        work->items = mem_resize(work->items, work->capacity * sizeof *work->items);
    }
    work->items[work->count++] = block;
}

static void scan(Work *work, uint64_t begin, uint64_t end)
{
    for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= end; at += 8) {
        uint64_t value = *(const uint64_t *)(uintptr_t)at;
        Block *block = in_heaps(value) ? memory_find_block(value) : NULL;
        if (!block || block->marked || block->freed || value - block->address > block->size)
            continue;
        block->marked = true;
        push(work, block);
    }
}

static void scan_range(void *work, uint64_t begin, uint64_t end) { scan(work, begin, end); }

static void scan_copy(void *work, void *copy, size_t size)
{
    scan(work, address_of(copy), address_of(copy) + size);
}

static void scan_thread(Work *work, const Thread *thread)
{
    uint64_t begin = thread->id == 0 && rt.main_frame ? rt.main_frame : address_of(thread->context);
    scan(work, begin, stack_bottom(thread->seat) + STACK_STRIDE);
    tls_each_copy(thread, scan_copy, work);
}

static void scan_threads(Work *work)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        if (thread->state != THREAD_ABSENT)
            repeat_forget(thread);
        bool alive = thread->state == THREAD_PENDING || thread->state == THREAD_NEW || thread->stopped;
        if (alive && thread->state != THREAD_ABSENT)
            scan_thread(work, thread);
    }
}

static void scan_transient(Work *work)
{
    const void *begin, *end;
    transient_range(&begin, &end);
    scan(work, address_of(begin), address_of(end));
}

/* Mappings are not reported, and what they point to is in use: allocators keep them under other names. */
static void unmark(void *work, Block *block)
{
    block->marked = block->mapped && !block->freed;
    if (block->marked)
        push(work, block);
}

/* One finding per place of allocation, about the first such block. */
static void report(void *context, Block *block)
{
    (void)context;
    if (block->freed || block->marked || block->kind != BLOCK_HEAP || thread_get(block->agent)->killed)
        return;
    for (uint32_t i = 0; i < rt.ex->finding_count; i++)
        if (rt.ex->findings[i].kind == BUG_LEAK && rt.ex->findings[i].sites[0] == block->site)
            return;
    Finding *finding = execution_add_finding(rt.ex, BUG_LEAK);
    bug_add_agent(finding, block->agent);
    bug_add_site(finding, block->site);
    finding->address = block->address;
    snprintf(finding->text, sizeof finding->text, "a block of %llu bytes is never freed and nothing points to it",
             (unsigned long long)block->size);
}

void leak_check(void)
{
    Work work = {0};
    memory_each_block(unmark, &work);
    globals_each_range(scan_range, &work);
    scan_threads(&work);
    scan_transient(&work);
    while (work.count) {
        const Block *block = work.items[--work.count];
        scan(&work, block->address, block->address + block->size);
    }
    memory_each_block(report, NULL);
    free(work.items);
}
