/* region.c - see region.h
 *
 * Design: bump allocation plus one free list per size class (multiples of 16 up
 * to 1 KiB, then powers of two). The bookkeeping lives in the region itself.
 */
#include "base/region.h"

#include <sys/mman.h>

#include "base/mem.h"

enum { UNIT = 16, SMALL = 1024, SMALL_CLASSES = SMALL / UNIT + 1, CLASSES = SMALL_CLASSES + 48 };

typedef struct FreeBlock {
    struct FreeBlock *next;
} FreeBlock;

struct Region {
    size_t capacity;
    size_t bump;
    size_t used;
    FreeBlock *free[CLASSES];
};

static unsigned size_class(size_t size, size_t *rounded)
{
    if (size <= SMALL) {
        unsigned units = (unsigned)((size + UNIT - 1) / UNIT);
        if (units == 0)
            units = 1;
        *rounded = (size_t)units * UNIT;
        return units;
    }
    unsigned bits = 64u - (unsigned)__builtin_clzll(size - 1);
    *rounded = (size_t)1 << bits;
    return SMALL_CLASSES + bits - 11;
}

Region *region_create(size_t capacity)
{
    Region *region = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED)
        return NULL;
    region->capacity = capacity;
    region->bump = (sizeof *region + UNIT - 1) / UNIT * UNIT;
    return region;
}

void region_destroy(Region *region)
{
    if (region)
        munmap(region, region->capacity);
}

void *region_alloc(Region *region, size_t size)
{
    size_t rounded;
    unsigned class = size_class(size, &rounded);
    region->used += rounded;
    FreeBlock *block = region->free[class];
    if (block) {
        region->free[class] = block->next;
        return block;
    }
    if (rounded > region->capacity - region->bump)
        mem_exhausted(size);
    void *fresh = (char *)region + region->bump;
    region->bump += rounded;
    return fresh;
}

void region_free(Region *region, void *block, size_t size)
{
    if (!block)
        return;
    size_t rounded;
    unsigned class = size_class(size, &rounded);
    region->used -= rounded;
    FreeBlock *head = block;
    head->next = region->free[class];
    region->free[class] = head;
}

size_t region_used(const Region *region) { return region->used; }
