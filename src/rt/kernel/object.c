/* object.c - memory that models use during one execution
 *
 * Run memory is a bump arena at a fixed place, emptied between executions; the
 * table of objects is keyed by resource and forgets by execution number.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "rt/kernel/runtime.h"

/* ---- Run memory ----------------------------------------------------------- */

#define RUN_CAPACITY (1ull << 34)

static struct {
    char *base;
    size_t used;
} arena;

void *run_alloc(size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (UNLIKELY(!arena.base || arena.used + rounded > RUN_CAPACITY))
        mem_exhausted(size);
    void *block = arena.base + arena.used;
    arena.used += rounded;
    return memset(block, 0, rounded);
}

void run_memory(const void **begin, const void **end)
{
    *begin = arena.base;
    *end = arena.base + arena.used;
}

/* ---- Objects ------------------------------------------------------------------ */

typedef struct Slot {
    uint64_t resource;
    void *state;
    uint32_t run;      /* valid in this execution only */
} Slot;

static struct {
    Slot *slots;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* in execution `run` */
    uint32_t run;
} table;

void object_init(void)
{
    void *base = mmap(NULL, RUN_CAPACITY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        mem_exhausted(RUN_CAPACITY);
    arena.base = base;
    table.capacity = 256;
    table.slots = mem_alloc(table.capacity * sizeof *table.slots);
}

void object_reset(void)
{
    arena.used = 0;
    table.used = 0;
    table.run = rt.run;
}

/* No slot may be taken for one of this execution. */
void object_clear(void)
{
    memset(table.slots, 0, table.capacity * sizeof *table.slots);
}

static Slot *find_slot(uint64_t resource)
{
    uint32_t mask = table.capacity - 1;
    uint32_t i = (uint32_t)(resource * 0x9e3779b97f4a7c15ull >> 40) & mask;
    while (table.slots[i].run == table.run && table.slots[i].resource != resource)
        i = (i + 1) & mask;
    return &table.slots[i];
}

static void grow_table(void)
{
    Slot *old = table.slots;
    uint32_t old_capacity = table.capacity;
    table.capacity *= 4;
    table.slots = mem_alloc(table.capacity * sizeof *table.slots);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].run == table.run && table.run)
            *find_slot(old[i].resource) = old[i];
}

void *object_find(ResourceKind kind, const void *object)
{
    const Slot *slot = find_slot(resource_of(kind, object));
    return slot->run == table.run ? slot->state : NULL;
}

void *object_state(ResourceKind kind, const void *object, size_t size, void (*init)(void *state, const void *object))
{
    uint64_t resource = resource_of(kind, object);
    Slot *slot = find_slot(resource);
    if (LIKELY(slot->run == table.run && slot->state))
        return slot->state;
    if (slot->run != table.run && ++table.used > table.capacity / 2) {
        grow_table();
        slot = find_slot(resource);
    }
    *slot = (Slot){.resource = resource, .run = table.run, .state = run_alloc(size)};
    if (init)
        init(slot->state, object);
    return slot->state;
}

/* The slot stays taken, so that the search for others passes over it. */
void object_forget(ResourceKind kind, const void *object)
{
    Slot *slot = find_slot(resource_of(kind, object));
    if (slot->run == table.run)
        slot->state = NULL;
}
