/* pages.c - see pages.h */
#include "rt/memory/pages.h"

#include <string.h>
#include <sys/mman.h>

#include "rt/detect/race.h"
#include "rt/sync/plain.h"

/* A page of a large block, in one execution. */
typedef struct LargePage {
    uint32_t execution;  /* number of the execution in which this is valid */
    uint8_t rights;      /* its shadow                                     */
    bool open;           /* shadow and cells are in place: in this execution, if at all */
    RaceRecord change;   /* of its rights; empty if there was none         */
} LargePage;

#define PAGES_SPAN (LARGE_SPAN / PAGE_SIZE * sizeof(LargePage))

static LargePage *pages;

bool pages_init(Error *error)
{
    pages = mmap(NULL, PAGES_SPAN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((void *)pages == MAP_FAILED)
        return error_set(error, EXIT_INTERNAL,
                         "cannot reserve address space for the program (is it limited by ulimit -v?)");
    madvise(pages, PAGES_SPAN, MADV_DONTDUMP);
    return true;
}

/* ---- Finding ------------------------------------------------------------------------ */

static bool is_large(uint64_t address) { return address - (ARENA_BASE + LARGE_OFFSET) < LARGE_SPAN; }

static LargePage *page_at(uint64_t address) { return &pages[(address - (ARENA_BASE + LARGE_OFFSET)) / PAGE_SIZE]; }

static bool is_open(const Block *block, uint64_t address)
{
    const LargePage *page = page_at(address);
    return !block->lazy || page->open;
}

uint8_t pages_rights(const Block *block, uint64_t address)
{
    if (is_open(block, address))
        return *memory_shadow_of(address);
    const LargePage *page = page_at(address);
    return page->execution == rt.execution ? page->rights : block->rights;
}

/* What the program changes for the first time has the rights of its block. */
static LargePage *get_page(const Block *block, uint64_t address)
{
    LargePage *page = page_at(address);
    if (page->execution != rt.execution)
        *page = (LargePage){.execution = rt.execution, .rights = block->rights};
    return page;
}

/* ---- Opening ------------------------------------------------------------------------ */

static uint64_t size_in_page(const Block *block, uint64_t address)
{
    uint64_t left = block_end(block) - address;
    return left < PAGE_SIZE ? left : PAGE_SIZE;
}

static void set_shadow(uint64_t address, uint64_t size, uint8_t rights)
{
    uint8_t *shadow = memory_shadow_of(address);
    memset(shadow, rights, size / 8);
    if (size % 8)
        shadow[size / 8] = rights == SHADOW_FREED ? rights : rights ? (uint8_t)(size % 8) : 0;
}

/* The page begins at the address. */
static void open_page(const Block *block, uint64_t address)
{
    LargePage *page = get_page(block, address);
    page->open = true;
    set_shadow(address, size_in_page(block, address), page->rights);
    if (page->change.lanes)
        race_place(address, size_in_page(block, address), &page->change);
}

bool pages_open(uint64_t address, uint64_t size)
{
    bool opened = false;
    for (uint64_t at = address & ~(uint64_t)(PAGE_SIZE - 1); is_large(at) && at < address + size; at += PAGE_SIZE) {
        const Block *block = memory_find_block(at > address ? at : address);
        if (!block || !block->lazy || block->freed || at - block->address >= block->size || is_open(block, at))
            continue;
        open_page(block, at);
        opened = true;
    }
    return opened;
}

/* ---- Changes ------------------------------------------------------------------------ */

static RaceKind kind_of(PageChange change)
{
    return change == PAGE_READ ? RACE_READ : change == PAGE_FREED ? RACE_FREE : RACE_WRITE;
}

/* Everything is accessible meanwhile: the change is not an access that needs a right. */
static void change_open(uint64_t address, uint64_t size, uint8_t rights, PageChange change)
{
    memset(memory_shadow_of(address), 8, size / 8);
    if (change == PAGE_FREED && !rt.plain_visible)
        race_access(address, size, RACE_FREE);
    else if (change == PAGE_READ)
        plain_read(address, size);
    else
        plain_write(address, size);
    set_shadow(address, size, rights);
}

/* Is there another thread's change of the page that this one is not ordered with? */
static bool races(const Block *block, uint64_t address, PageChange change)
{
    const LargePage *page = page_at(address);
    if (is_open(block, address) || page->execution != rt.execution || !page->change.lanes)
        return false;
    return (page->change.kind != RACE_READ || change != PAGE_READ) &&
           !race_ordered(page->change.agent, page->change.clock);
}

void pages_change(const Block *block, uint64_t address, uint64_t size, uint8_t rights, PageChange change)
{
    bool reported = false; /* that two changes race: of one page is enough */
    for (uint64_t at = address; at < address + size; at += PAGE_SIZE) {
        uint64_t left = address + size - at;
        if (!reported && races(block, at, change)) {
            open_page(block, at);
            reported = true;
        }
        if (is_open(block, at)) {
            change_open(at, left < PAGE_SIZE ? left : PAGE_SIZE, rights, change);
        } else {
            LargePage *page = get_page(block, at);
            page->rights = rights;
            page->change = race_record(kind_of(change));
        }
    }
}

/* Nothing is left behind for pages that nothing has accessed: the block is known to be freed. */
void pages_release(const Block *block)
{
    for (uint64_t at = block->address; at < block_end(block); at += PAGE_SIZE)
        if (is_open(block, at) || races(block, at, PAGE_FREED))
            pages_change(block, at, size_in_page(block, at), SHADOW_FREED, PAGE_FREED);
}

void pages_reset(const Block *block)
{
    for (uint64_t at = block->address; at < block_end(block); at += PAGE_SIZE) {
        if (!is_open(block, at))
            continue;
        memset(memory_shadow_of(at), 0, (size_in_page(block, at) + 7) / 8);
        page_at(at)->open = false;
    }
}

void pages_clear(void) { madvise(pages, PAGES_SPAN, MADV_DONTNEED); }
