/* wide.c - see wide.h */
#include "rt/weak/wide.h"

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/object.h"

/* A value with a name; inverted: the search for leaks must not take it for pointers. */
typedef struct WideValue {
    uint64_t hidden[2];
} WideValue;

/* The first bits of a name say what it is made of; most values can be read from their names. */
enum { NAME_TAG_SHIFT = 61, TAG_HIGH_SMALL = 4, TAG_LOW_SMALL = 5, TAG_BOTH_SMALL = 6, TAG_HASH = 7 };
enum { ADDRESS_BITS = 48, COUNT_BITS = 13, HALF_BITS = 30 };

static bool is_small(uint64_t half) { return (uint64_t)((int64_t)half >> (HALF_BITS - 1)) + 1 < 2; }
static uint64_t low_bits(uint64_t value, unsigned bits) { return value & ((1ull << bits) - 1); }
static uint64_t tagged(uint64_t tag, uint64_t high, unsigned bits, uint64_t low)
{
    return tag << NAME_TAG_SHIFT | low_bits(high, NAME_TAG_SHIFT - bits) << bits | low_bits(low, bits);
}

static uint64_t name_of(const uint64_t *halves)
{
    uint64_t low = halves[0], high = halves[1];
    if (high == 0 && low >> 63 == 0)
        return low;
    if (is_small(low) && is_small(high))
        return tagged(TAG_BOTH_SMALL, low_bits(high, HALF_BITS), HALF_BITS, low);
    if (low >> ADDRESS_BITS == 0 && high >> COUNT_BITS == 0)
        return tagged(TAG_HIGH_SMALL, high, ADDRESS_BITS, low);
    if (high >> ADDRESS_BITS == 0 && low >> COUNT_BITS == 0)
        return tagged(TAG_LOW_SMALL, low, ADDRESS_BITS, high);
    uint64_t hash = (low ^ (high << 32 | high >> 32)) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 29 ^ high) * 0xbf58476d1ce4e5b9ull;
    return (uint64_t)TAG_HASH << NAME_TAG_SHIFT | (hash ^ hash >> 32) >> (64 - NAME_TAG_SHIFT);
}

static uint64_t sign_extended(uint64_t half)
{
    return (uint64_t)((int64_t)(half << (64 - HALF_BITS)) >> (64 - HALF_BITS));
}

bool wide_halves(uint64_t name, uint64_t *halves)
{
    uint64_t rest = low_bits(name, NAME_TAG_SHIFT), tag = name >> NAME_TAG_SHIFT;
    uint64_t first = low_bits(rest, ADDRESS_BITS), second = rest >> ADDRESS_BITS;
    if (tag == TAG_HASH)
        return false;
    halves[0] = tag < TAG_HIGH_SMALL ? name : tag == TAG_HIGH_SMALL ? first : second;
    halves[1] = tag < TAG_HIGH_SMALL ? 0 : tag == TAG_HIGH_SMALL ? second : first;
    if (tag == TAG_BOTH_SMALL) {
        halves[0] = sign_extended(rest);
        halves[1] = sign_extended(rest >> HALF_BITS);
    }
    return true;
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
    if (name >> NAME_TAG_SHIFT == TAG_HASH)
        note(name, halves);
    return name;
}

void wide_store_named(void *p, uint64_t name)
{
    uint64_t halves[2];
    if (!wide_halves(name, halves)) {
        const WideValue *found = object_find(RES_NEWER, key_of(name));
        halves[0] = ~found->hidden[0];
        halves[1] = ~found->hidden[1];
    }
    memcpy(p, halves, sizeof halves);
}
