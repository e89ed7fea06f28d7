/* object.c - see object.h
 *
 * A hash table keyed by resource; entries of earlier executions count as free slots.
 */
#include "rt/kernel/object.h"

#include <string.h>

#include "base/vec.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/transient.h"

typedef struct Slot {
    uint64_t resource;
    void *state;
    uint32_t execution; /* in which the entry is valid */
    uint32_t size;      /* of the state                */
} Slot;

static struct {
    Slot *slots;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* in this execution */
    uint32_t execution;
    VEC(uint32_t) touched; /* slots of this execution */
} table;

void object_init(void)
{
    table.capacity = 256;
    table.slots = mem_alloc(table.capacity * sizeof *table.slots);
}

void object_reset(void)
{
    table.used = 0;
    table.touched.count = 0;
    table.execution = rt.execution;
}

void object_save(RtImage *image)
{
    image_add(image, &table.used, sizeof table.used);
    image_add(image, &table.touched.count, sizeof table.touched.count);
    for (uint32_t i = 0; i < table.touched.count; i++)
        image_add(image, &table.slots[table.touched.items[i]], sizeof *table.slots);
}

void object_forget_all(void)
{
    for (uint32_t i = 0; i < table.touched.count; i++)
        table.slots[table.touched.items[i]].execution = 0;
}

void object_clear(void)
{
    memset(table.slots, 0, table.capacity * sizeof *table.slots);
}

static Slot *find_slot(uint64_t resource)
{
    uint32_t mask = table.capacity - 1;
    uint32_t i = (uint32_t)(resource * 0x9e3779b97f4a7c15ull >> 40) & mask;
    while (table.slots[i].execution == table.execution && table.slots[i].resource != resource)
        i = (i + 1) & mask;
    return &table.slots[i];
}

/* The slot is one of this execution from now on. */
static Slot *touch(Slot *slot)
{
    VEC_PUSH(&table.touched, (uint32_t)(slot - table.slots));
    return slot;
}

static void grow_table(void)
{
    Slot *old = table.slots;
    uint32_t old_capacity = table.capacity;
    table.capacity *= 4;
    table.touched.count = 0;
    image_void_all();
    table.slots = mem_alloc(table.capacity * sizeof *table.slots);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].execution == table.execution && table.execution)
            *touch(find_slot(old[i].resource)) = old[i];
}

void *object_find(ResourceKind kind, const void *object)
{
    const Slot *slot = find_slot(resource_of(kind, object));
    return slot->execution == table.execution ? slot->state : NULL;
}

void *object_state(ResourceKind kind, const void *object, size_t size, void (*init)(void *state, const void *object))
{
    uint64_t resource = resource_of(kind, object);
    Slot *slot = find_slot(resource);
    if (LIKELY(slot->execution == table.execution && slot->state))
        return slot->state;
    if (slot->execution != table.execution && ++table.used > table.capacity / 2) {
        grow_table();
        slot = find_slot(resource);
    }
    if (slot->execution != table.execution)
        touch(slot);
    *slot = (Slot){.resource = resource, .execution = table.execution, .state = transient_alloc(size),
                   .size = (uint32_t)size};
    if (init)
        init(slot->state, object);
    return slot->state;
}

/* The slot stays taken, so that the search for others continues behind it. */
void object_forget(ResourceKind kind, const void *object)
{
    Slot *slot = find_slot(resource_of(kind, object));
    if (slot->execution == table.execution)
        slot->state = NULL;
}

/* Is it named by its address, and part of what the program sees? */
static bool is_object(uint64_t resource)
{
    ResourceKind kind = (ResourceKind)(resource >> 56);
    return (kind >= RES_LOCK && kind <= RES_ONCE) || kind == RES_RWLOCK || kind == RES_FUTEX;
}

void object_forget_within(uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < table.capacity; i++) {
        uint64_t address = resource_address(table.slots[i].resource);
        if (table.slots[i].execution == table.execution && is_object(table.slots[i].resource) && address >= begin &&
            address < end)
            table.slots[i].state = NULL;
    }
}

static bool is_of_process(uint64_t resource)
{
    return is_object(resource) && resource_is_own(resource) &&
           (resource & UINT64_MAX >> 8) >> OBJECT_ADDRESS_BITS == process_tag;
}

static void copy_slot(const Slot *from, uint64_t tag, void (*begin)(uint64_t resource, void *state))
{
    const void *object = (const void *)(uintptr_t)resource_address(from->resource);
    ResourceKind kind = (ResourceKind)(from->resource >> 56);
    uint64_t own = process_tag;
    process_tag = tag;
    void *state = object_state(kind, object, from->size, NULL);
    memcpy(state, from->state, from->size);
    begin(resource_of(kind, object), state);
    process_tag = own;
}

void object_fork(uint64_t tag, void (*begin)(uint64_t resource, void *state))
{
    uint32_t count = table.touched.count;
    while (table.used + count >= table.capacity / 2)
        grow_table();
    for (uint32_t i = 0; i < count; i++) {
        const Slot *slot = &table.slots[table.touched.items[i]];
        if (slot->state && is_of_process(slot->resource))
            copy_slot(slot, tag, begin);
    }
}

void object_each(void (*each)(void *context, uint64_t resource, const void *state), void *context)
{
    for (uint32_t i = 0; i < table.capacity && table.used; i++)
        if (table.slots[i].execution == table.execution && table.slots[i].state)
            each(context, table.slots[i].resource, table.slots[i].state);
}
