/* api_malloc.c - the allocation functions of C, on the heap of memory.h */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/shadow_size.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"
#include "rt/memory/memory.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/plain.h"
#include "rt/signal/interrupt.h"

/* ---- Freeing ------------------------------------------------------------------------------------ */

extern char __executable_start, _end; /* by the linker: the program's own image */

/* Memory that a library function or a constructor allocated with the real malloc. */
static bool is_foreign(const void *p)
{
    bool in_image = address_of(p) - address_of(&__executable_start) < (uint64_t)(&_end - &__executable_start);
    return !in_arena(address_of(p)) && !in_image;
}

/* The live block that begins here; reports and does not return if there is none. */
static Block *get_block(void *p)
{
    uint64_t address = address_of(p);
    Block *block = memory_find_block(address);
    if (!block || address - block->address >= block_room(block) + !block_room(block)) {
        Finding *finding = bug_add(BUG_INVALID_FREE);
        finding->address = address;
        snprintf(finding->text, sizeof finding->text, "free of %p, which no allocation returned", p);
        bug_noted();
        thread_halt();
    }
    if (block->mapped)
        memory_stop_at(BUG_INVALID_FREE, block, address, "free of a mapped");
    if (block->kind != BLOCK_HEAP)
        memory_stop_at(BUG_INVALID_FREE, block, address, "free of a");
    if (address != block->address)
        memory_stop_at(BUG_INVALID_FREE, block, address, "free of an address inside a");
    if (block->freed)
        memory_stop_at(BUG_DOUBLE_FREE, block, address, "double free of a");
    return block;
}

/* ---- The allocation functions of C ---------------------------------------------------------------- */

void *sennit_rt_malloc(size_t size);
void *sennit_rt_calloc(size_t count, size_t size);
void *sennit_rt_realloc(void *p, size_t size);
void *sennit_rt_reallocarray(void *p, size_t count, size_t size);
void sennit_rt_free(void *p);
void sennit_rt_cfree(void *p);
void *sennit_rt_aligned_alloc(size_t alignment, size_t size);
int sennit_rt_posix_memalign(void **result, size_t alignment, size_t size);
void *sennit_rt_memalign(size_t alignment, size_t size);
void *sennit_rt_valloc(size_t size);
size_t sennit_rt_malloc_usable_size(void *p);

static void *filled_block(uint64_t size, uint64_t alignment)
{
    void *block = memory_allocate(size, alignment);
    memory_fill(block, size, MEMORY_FILL);
    if (block && rt.options.unset)
        input_unset(block, size);
    return block;
}

/* A block of symbolic size; NULL if the size is concrete, or too large for that. */
static void *sized_block(uint32_t shadow, uint64_t size, uint8_t fill)
{
    uint64_t room = shadow ? shadow_size_room(shadow, size) : 0;
    void *block = room ? memory_allocate_sized(size, room, shadow) : NULL;
    memory_fill(block, room, fill);
    if (block && fill && rt.options.unset)
        input_unset(block, room);
    return block;
}

/* A function that needs the size as a number explores every one. */
static uint64_t known_size(const Block *block)
{
    if (block->room)
        branch_pin(shadow_expr(block->size_shadow), block->size);
    return block->size;
}

void *sennit_rt_malloc(size_t size)
{
    uint32_t shadow = 0;
    if (!rt.self)
        return malloc(size);
    interrupt_unsafe("malloc");
    if (tracking.on)
        shadow_take_arguments((const void *)sennit_rt_malloc, &shadow, 1);
    void *block = sized_block(shadow, size, MEMORY_FILL);
    return block ? block : filled_block(size, 16);
}

void *sennit_rt_calloc(size_t count, size_t size)
{
    size_t total;
    uint32_t shadows[2] = {0}, shadow = 0;
    if (!rt.self)
        return calloc(count, size);
    interrupt_unsafe("calloc");
    if (tracking.on)
        shadow_take_arguments((const void *)sennit_rt_calloc, shadows, 2);
    if (shadows[0] || shadows[1])
        shadow = shadow_size_product(shadows, count, size);
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = sized_block(shadow, total, 0);
    if (block)
        return block;
    block = memory_allocate(total, 16);
    memory_fill(block, total, 0);
    return block;
}

void sennit_rt_free(void *p)
{
    if (!p)
        return;
    interrupt_unsafe("free");
    if (!rt.self)
        free(p);
    else if (!is_foreign(p)) /* a foreign block may be needed in the next execution */
        memory_release(get_block(p));
}

void sennit_rt_cfree(void *p) { sennit_rt_free(p); }

void *sennit_rt_realloc(void *p, size_t size)
{
    if (!rt.self)
        return realloc(p, size);
    interrupt_unsafe("realloc");
    if (!p)
        return sennit_rt_malloc(size);
    if (is_foreign(p))
        report_not_modelled("realloc of a block that a library function allocated");
    Block *old = get_block(p);
    if (!size) {
        memory_release(old);
        return NULL;
    }
    size_t before = known_size(old), kept = before < size ? before : size;
    void *moved = filled_block(size, 16);
    if (!moved)
        return NULL;
    plain_read(address_of(p), kept);
    memcpy(moved, p, kept);
    if (tracking.on)
        shadow_memory_copy(address_of(moved), address_of(p), kept);
    memory_release(old);
    return moved;
}

void *sennit_rt_reallocarray(void *p, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return sennit_rt_realloc(p, total);
}

static bool is_power_of_two(size_t x) { return x && !(x & (x - 1)); }

void *sennit_rt_aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    return rt.self ? filled_block(size, alignment) : aligned_alloc(alignment, size);
}

void *sennit_rt_memalign(size_t alignment, size_t size) { return sennit_rt_aligned_alloc(alignment, size); }
void *sennit_rt_valloc(size_t size) { return sennit_rt_aligned_alloc(4096, size); }

int sennit_rt_posix_memalign(void **result, size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *))
        return EINVAL;
    int saved_errno = errno;
    void *block = sennit_rt_aligned_alloc(alignment, size);
    errno = saved_errno;
    if (!block)
        return ENOMEM;
    plain_write(address_of(result), sizeof *result);
    *result = block;
    shadow_memory_overwritten(result, sizeof *result);
    return 0;
}

size_t sennit_rt_malloc_usable_size(void *p)
{
    if (!p || !rt.self || is_foreign(p))
        return p ? malloc_usable_size(p) : 0;
    return known_size(get_block(p));
}
