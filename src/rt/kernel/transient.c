/* transient.c - see transient.h */
#include "rt/kernel/transient.h"

#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

#define CAPACITY (1ull << 34)

static struct {
    char *base;
    size_t used;
} arena;

void transient_init(void)
{
    void *base = mmap(NULL, CAPACITY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        mem_exhausted(CAPACITY);
    arena.base = base;
}

void transient_reset(void) { arena.used = 0; }

void transient_save(RtImage *image)
{
    image_add(image, &arena.used, sizeof arena.used);
    image_add(image, arena.base, arena.used);
}

void *transient_alloc(size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (__builtin_expect(!arena.base || arena.used + rounded > CAPACITY, 0))
        mem_exhausted(size);
    void *block = arena.base + arena.used;
    arena.used += rounded;
    return memset(block, 0, rounded);
}

void transient_range(const void **begin, const void **end)
{
    *begin = arena.base;
    *end = arena.base + arena.used;
}
