/* memory.c - see memory.h
 *
 * A heap is a bump arena; behind each block lies a red zone. Its size grows with the
 * block, so that a wrong index into a larger array is noticed too.
 */
#include "rt/memory/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/stack.h"
#include "rt/kernel/process.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/memory/pages.h"
#include "rt/sync/plain.h"
#include "rt/sync/section.h"

enum { MIN_REDZONE = 16, MAX_REDZONE = 2048, LARGE_BLOCK = 8 << 20, FILL_LIMIT = 1 << 17 };

uint8_t *memory_shadow;

/* One thread's heap: where the next block begins, and the blocks so far by increasing address. */
typedef struct Heap {
    bool open;            /* used in this execution               */
    uint32_t count;
    uint32_t number;      /* of the newest block                  */
    uint64_t used;        /* bytes from the bottom                */
    uint64_t written;     /* up to here small blocks of earlier executions may have left bytes */
    Block *blocks;        /* room for MAX_BLOCKS                  */
} Heap;

enum { HEAPS = RT_SEATS + LARGE_SEATS, MAX_BLOCKS = 1 << 20 };

/* In verbose executions shared with the process that makes the reports, which can name the blocks
 * of a dead worker then. Otherwise each worker has its own. */
typedef struct Heaps {
    Heap heap[HEAPS];     /* small ones, then large ones          */
    Block *blocks;        /* room for those of all heaps          */
    uint32_t touched[HEAPS];
    uint32_t touched_count;
    uint32_t shared[RT_MAX_AGENTS]; /* likewise, of memory that processes share */
    uint32_t shared_count;
} Heaps;

static Heaps *heaps;

/* ---- Lifecycle ------------------------------------------------------------------ */

#define SHADOW_SIZE ((HEAP_SPAN + LARGE_SPAN) / 8)

bool memory_init(Error *error)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    int shared = (rt.options.verbose ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
    Block *blocks = mmap(NULL, (size_t)HEAPS * MAX_BLOCKS * sizeof *blocks, PROT_READ | PROT_WRITE, shared, -1, 0);
    heaps = mmap(NULL, sizeof *heaps, PROT_READ | PROT_WRITE, shared, -1, 0);
    void *arena = mmap((void *)ARENA_BASE, GIVEN_OFFSET, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    void *identities = mmap((void *)IDENTITY_BASE, IDENTITY_SPAN, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE,
                            -1, 0);
    void *shadow = mmap(NULL, SHADOW_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (arena != (void *)ARENA_BASE || identities != (void *)IDENTITY_BASE || shadow == MAP_FAILED ||
        (void *)blocks == MAP_FAILED || (void *)heaps == MAP_FAILED)
        return error_set(error, EXIT_INTERNAL,
                         "cannot reserve address space for the program (is it limited by ulimit -v?)");
    madvise(arena, GIVEN_OFFSET, MADV_DONTDUMP);
    madvise(shadow, SHADOW_SIZE, MADV_DONTDUMP);
    memory_shadow = shadow;
    if (!pages_init(error))
        return false;
    heaps->blocks = blocks;
    return true;
}

static Heap *heap_of(uint32_t index, uint64_t *bottom)
{
    *bottom = index < RT_SEATS ? heap_bottom(index) : large_bottom(index - RT_SEATS);
    return &heaps->heap[index];
}

/* Small blocks are filled when they are allocated; larger ones have pages of their own, which
 * are zero at first. */
static void reset_heap(Heap *heap, uint64_t bottom, bool large)
{
    for (uint32_t i = 0; i < heap->count; i++) {
        const Block *block = &heap->blocks[i];
        if (block->size > FILL_LIMIT)
            madvise((void *)(uintptr_t)block->address, whole_pages(block->size), MADV_DONTNEED);
        if (block->lazy)
            pages_reset(block);
        else if (large)
            memset(memory_shadow_of(block->address), 0, (block_room(block) + 7) / 8);
    }
    if (!large)
        memset(memory_shadow_of(bottom), 0, heap->used / 8 + 1);
    if (heap->used > heap->written)
        heap->written = heap->used;
    heap->count = 0;
    heap->number = 0;
    heap->used = 0;
}

static void reset_listed(const uint32_t *list, uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++) {
        uint64_t bottom;
        Heap *heap = heap_of(list[i], &bottom);
        reset_heap(heap, bottom, list[i] >= RT_SEATS);
        heap->open = false;
    }
    *count = 0;
}

void memory_reset_own(void) { reset_listed(heaps->touched, &heaps->touched_count); }

void memory_reset(void)
{
    memory_reset_own();
    reset_listed(heaps->shared, &heaps->shared_count);
}

bool memory_save(RtImage *image)
{
    image_add(image, &heaps->touched_count, sizeof heaps->touched_count);
    if (image->whole)
        image_add(image, heaps->touched, heaps->touched_count * sizeof *heaps->touched);
    for (uint32_t i = 0; i < heaps->touched_count && !image_is_full(image); i++) {
        uint64_t bottom;
        Heap *heap = heap_of(heaps->touched[i], &bottom);
        if (heaps->touched[i] >= RT_SEATS)
            return false;
        for (uint32_t k = 0; k < heap->count && !image->whole; k++)
            if (heap->blocks[k].size > FILL_LIMIT)
                return false;
        image_add(image, heap, offsetof(Heap, written)); /* which is about all executions */
        image_add(image, heap->blocks, heap->count * sizeof *heap->blocks);
        image_add(image, (void *)(uintptr_t)bottom, heap->used);
        image_add(image, memory_shadow_of(bottom), heap->used / 8 + 1);
    }
    return true;
}

/* ---- Allocating ------------------------------------------------------------------------ */

static Heap *open_heap(uint32_t index, uint64_t *bottom)
{
    Heap *heap = heap_of(index, bottom);
    if (!heap->open) {
        heap->open = true;
        heap->blocks = heaps->blocks + (size_t)index * MAX_BLOCKS;
        bool shared = in_shared_heaps(*bottom) && process_is_possible();
        if (shared)
            heaps->shared[heaps->shared_count++] = index;
        else
            heaps->touched[heaps->touched_count++] = index;
    }
    return heap;
}

static uint64_t redzone_behind(uint64_t size)
{
    uint64_t bytes = size / 4 & ~15ull;
    return bytes < MIN_REDZONE ? MIN_REDZONE : bytes > MAX_REDZONE ? MAX_REDZONE : bytes;
}

/* 0 if the heap is full. */
static uint64_t bump(Heap *heap, uint64_t bottom, uint64_t room, uint64_t size, uint64_t alignment)
{
    if (size > room)
        return 0;
    if (size > FILL_LIMIT) {
        size = whole_pages(size);
        alignment = alignment < PAGE_SIZE ? PAGE_SIZE : alignment;
    }
    uint64_t address = (bottom + heap->used + MIN_REDZONE + alignment - 1) & ~(alignment - 1);
    uint64_t used = address - bottom + size + redzone_behind(size);
    if (used > room)
        return 0;
    heap->used = (used + 15) & ~15ull;
    return address;
}

static void open_shadow(uint64_t address, uint64_t size)
{
    uint8_t *shadow = memory_shadow_of(address);
    memset(shadow, 8, size / 8);
    if (size % 8)
        shadow[size / 8] = (uint8_t)(size % 8);
}

static bool has_number(BlockKind kind) { return kind == BLOCK_HEAP || kind == BLOCK_LOCAL; }

static Block *add_block(Heap *heap, AgentId agent, uint64_t address, uint64_t size, BlockKind kind)
{
    Block *block = &heap->blocks[heap->count++];
    *block = (Block){.address = address, .size = size, .agent = agent, .clock = race_now(),
                     .kind = (uint8_t)kind,
                     .site = kind == BLOCK_THREAD_LOCAL ? 0 : site_name(sennit_rt_site),
                     .number = heap->number += has_number(kind)};
    return block;
}

/* A size beyond any address space is an error for the program to handle. Another one would be available
 * outside Sennit: the thread is stopped by a bound, and the verdict says so. */
static Block *refuse(uint64_t size)
{
    if (size <= ADDRESS_SPACE)
        thread_cut(CUT_MEMORY);
    errno = ENOMEM;
    return NULL;
}

static Block *allocate_at(uint32_t seat, BlockKind kind, uint64_t size, uint64_t alignment)
{
    AgentId agent = rt.self->strand;
    bool large = size >= LARGE_BLOCK && large_of_seat(seat) < LARGE_SEATS;
    uint64_t bottom;
    Heap *heap = open_heap(large ? RT_SEATS + large_of_seat(seat) : seat, &bottom);
    uint64_t room = heap->count == MAX_BLOCKS ? 0 : large ? LARGE_STRIDE : HEAP_STRIDE;
    uint64_t address = bump(heap, bottom, room, size, alignment < 16 ? 16 : alignment);
    if (!address)
        return refuse(size);
    if (size > FILL_LIMIT && address - bottom < heap->written)
        madvise((void *)(uintptr_t)address, whole_pages(size), MADV_DONTNEED);
    Block *block = add_block(heap, agent, address, size, kind);
    block->lazy = large && !rt.plain_visible;
    block->rights = 8;
    if (!block->lazy)
        open_shadow(address, size);
    if (UNLIKELY(rt.options.verbose))
        stack_record_access(agent, block->clock, address >> 3);
    return block;
}

Block *memory_allocate_kind(BlockKind kind, uint64_t size, uint64_t alignment)
{
    return allocate_at(rt.self->seat, kind, size, alignment);
}

void *memory_allocate_shared(uint64_t size, uint64_t alignment)
{
    if (!process_is_possible())
        return memory_allocate(size, alignment);
    const Block *block = allocate_at(seat_of_other(rt.self->strand), BLOCK_HEAP, size, alignment);
    return block ? (void *)(uintptr_t)block->address : NULL;
}

void *memory_allocate(uint64_t size, uint64_t alignment)
{
    const Block *block = memory_allocate_kind(BLOCK_HEAP, size, alignment);
    return block ? (void *)(uintptr_t)block->address : NULL;
}

/* Accesses to a block of symbolic size are checked one by one. */
void *memory_allocate_sized(uint64_t size, uint64_t room, uint32_t size_shadow)
{
    uint8_t *at = memory_allocate(room, 16);
    if (!at)
        return NULL;
    Block *block = memory_find_block(address_of(at));
    block->size = size;
    block->room = room;
    block->size_shadow = size_shadow;
    block->lazy = false;
    memset(memory_shadow_of(block->address), SHADOW_SIZED, room / 8);
    return at;
}

void memory_fill(void *block, uint64_t size, uint8_t byte)
{
    if (block && size <= FILL_LIMIT)
        memset(block, byte, size);
}

/* ---- Freeing ------------------------------------------------------------------------------- */

void memory_mark_freed(Block *block)
{
    section_keep("free");
    block->freed = true;
    block->free_site = site_name(sennit_rt_site);
    block->freed_by = rt.self->id;
    block->free_step = rt.self->has_event ? rt.self->last_event : 0;
    if (!block->lazy)
        memset(memory_shadow_of(block->address), SHADOW_FREED, (block_room(block) + 7) / 8);
}

void memory_release(Block *block)
{
    if (block->room) /* all of it is freed, whatever its size for other inputs */
        memset(memory_shadow_of(block->address), 8, block->room / 8);
    if (block->lazy)
        pages_release(block);
    else if (rt.plain_visible)
        plain_write(block->address, block_room(block));
    else
        race_access(block->address, block_room(block), RACE_FREE);
    memory_mark_freed(block);
}

/* ---- Local variables ----------------------------------------------------------------------- */

void *sennit_rt_local(uint64_t size, uint64_t alignment, const SennitSite *site)
{
    sennit_rt_site = site;
    if (!rt.self) /* a constructor: never freed */
        return mem_alloc(size);
    if ((int64_t)size < 0)
        report_bug(BUG_BOUNDS, "the length of a variable-length array is negative");
    const Block *block = memory_allocate_kind(BLOCK_LOCAL, size, alignment);
    void *at = block ? (void *)(uintptr_t)block->address : NULL;
    memory_fill(at, size, MEMORY_FILL);
    return at;
}

static Block *own_local(const void *variable)
{
    Block *block = rt.self ? memory_find_block(address_of(variable)) : NULL;
    return block && block->kind == BLOCK_LOCAL ? block : NULL;
}

void sennit_rt_local_end(void *variable, const SennitSite *site)
{
    Block *block = own_local(variable);
    if (!block || block->freed)
        return;
    sennit_rt_site = site;
    memory_release(block);
}

void sennit_rt_local_place(void *variable, const void *place)
{
    Block *block = own_local(variable);
    if (block)
        block->place = address_of(place);
}

uint64_t sennit_rt_frame_enter(void) { return rt.self ? heaps->heap[rt.self->seat].count : 0; }

static void free_kind(const Heap *heap, uint64_t first, BlockKind kind)
{
    for (uint64_t i = first; i < heap->count; i++)
        if (heap->blocks[i].kind == kind && !heap->blocks[i].freed)
            memory_release(&heap->blocks[i]);
}

void memory_free_locals(uint64_t first) { free_kind(&heaps->heap[rt.self->seat], first, BLOCK_LOCAL); }

void memory_free_thread(void)
{
    uint32_t seat = rt.self->seat, large = large_of_seat(seat);
    if (heaps->touched_count == 0)
        return;
    memory_free_locals(0);
    free_kind(&heaps->heap[seat], 0, BLOCK_THREAD_LOCAL);
    if (large < LARGE_SEATS)
        free_kind(&heaps->heap[RT_SEATS + large], 0, BLOCK_THREAD_LOCAL);
}

void sennit_rt_frame_cut(uint64_t mark, const void *stack, const SennitSite *site)
{
    if (!rt.self)
        return;
    const Heap *heap = &heaps->heap[rt.self->seat];
    sennit_rt_site = site;
    for (uint64_t i = mark; i < heap->count; i++)
        if (heap->blocks[i].place && heap->blocks[i].place < address_of(stack) && !heap->blocks[i].freed)
            memory_release(&heap->blocks[i]);
}

void sennit_rt_frame_leave(uint64_t mark, const SennitSite *site)
{
    if (!rt.self)
        return;
    sennit_rt_site = site;
    memory_free_locals(mark);
}

/* ---- Finding blocks --------------------------------------------------------------------- */

static Block *last_at_or_below(const Heap *heap, uint64_t address)
{
    uint32_t low = 0, high = heap->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (heap->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &heap->blocks[low - 1] : NULL;
}

static Heap *heap_at(uint64_t address)
{
    uint64_t offset = address - (ARENA_BASE + HEAP_OFFSET);
    if (offset < HEAP_SPAN)
        return &heaps->heap[offset / HEAP_STRIDE];
    return &heaps->heap[RT_SEATS + (offset - HEAP_SPAN) / LARGE_STRIDE];
}

Block *memory_find_block(uint64_t address)
{
    if (!in_heaps(address))
        return NULL;
    const Heap *heap = heap_at(address);
    if (!heap->count)
        return NULL;
    Block *block = last_at_or_below(heap, address);
    /* An address just below a block is attributed to it rather than to the one before. */
    Block *next = block ? block + 1 : heap->blocks;
    if (next < heap->blocks + heap->count &&
        (!block || (address >= block_end(block) && next->address - address < address - block_end(block))))
        return next;
    return block;
}

void memory_each_block(void (*each)(void *context, Block *block), void *context)
{
    for (uint32_t i = 0; i < heaps->touched_count + heaps->shared_count; i++) {
        uint64_t bottom;
        bool own = i < heaps->touched_count;
        Heap *heap = heap_of(own ? heaps->touched[i] : heaps->shared[i - heaps->touched_count], &bottom);
        for (uint32_t k = 0; k < heap->count; k++)
            each(context, &heap->blocks[k]);
    }
}
