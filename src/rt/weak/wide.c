/* wide.c - see wide.h */
#include "rt/weak/wide.h"

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/object.h"

/* A value with a name; inverted: the search for leaks must not take it for pointers. */
typedef struct WideValue {
    uint64_t hidden[2];
} WideValue;

static uint64_t name_of(const uint64_t *halves)
{
    if (halves[1] == 0)
        return halves[0];
    uint64_t hash = (halves[0] ^ (halves[1] << 32 | halves[1] >> 32)) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 29 ^ halves[1]) * 0xbf58476d1ce4e5b9ull;
    return hash ^ hash >> 32;
}

static const void *key_of(uint64_t name) { return (const void *)(uintptr_t)name; }

static void note(uint64_t name, const uint64_t *halves)
{
    WideValue *value = object_find(RES_NEWER, key_of(name));
    if (!value) {
        value = object_state(RES_NEWER, key_of(name), sizeof *value, NULL);
        value->hidden[0] = ~halves[0];
        value->hidden[1] = ~halves[1];
    } else if (value->hidden[0] != ~halves[0] || value->hidden[1] != ~halves[1]) {
        report_refused("an atomic object of 16 bytes with values that have the same hash needs --memory=sc");
    }
}

/* A symbolic value of 16 bytes has no expression here. */
static void refuse_symbolic(const char *p)
{
    for (unsigned i = 0; i < WIDE_SIZE; i += 8)
        if (shadow_memory_get((uint64_t)(uintptr_t)p + i, p + i, 64))
            report_refused("a symbolic value in an atomic object of 16 bytes needs --memory=sc");
}

uint64_t wide_name(const void *p)
{
    uint64_t halves[2];
    if (UNLIKELY(tracking.on))
        refuse_symbolic(p);
    memcpy(halves, p, sizeof halves);
    uint64_t name = name_of(halves);
    note(name, halves);
    return name;
}

void wide_store_named(void *p, uint64_t name)
{
    const WideValue *found = object_find(RES_NEWER, key_of(name));
    uint64_t halves[2] = {~found->hidden[0], ~found->hidden[1]};
    memcpy(p, halves, sizeof halves);
}
