/* word.h - memory as resources: aligned words of 8 bytes and lanes of them */
#ifndef RT_MEMORY_WORD_H
#define RT_MEMORY_WORD_H

#include <string.h>

#include "rt/kernel/resource.h"

/* The part of a range of memory that lies in one word. */
typedef struct Word {
    uint64_t address; /* of its first byte */
    unsigned size;    /* 1..8              */
    uint8_t lanes;
} Word;

/* The first word of a range, which is not empty. */
static inline Word word_first(uint64_t address, uint64_t size)
{
    unsigned offset = (unsigned)(address & 7);
    unsigned length = size < 8u - offset ? (unsigned)size : 8u - offset;
    return (Word){address, length, (uint8_t)((0xffu >> (8 - length)) << offset)};
}

/* The same for a range that is known to lie in one word. */
static inline Word word_within(uint64_t address, unsigned size)
{
    return (Word){address, size, (uint8_t)((0xffu >> (8 - size)) << (address & 7))};
}

/* The bits above the address count how often a location of weak memory began anew (weak/message.h), or tell the memory
 * of processes apart. */
enum { WORD_ADDRESS_BITS = 45 };

static inline uint64_t word_resource(uint64_t address)
{
    uint64_t resource = (uint64_t)RES_MEMORY << 56 | address >> 3;
    return __builtin_expect(process_tag != 0, 0) ? resource_tagged(resource) : resource;
}
static inline uint64_t word_address(uint64_t resource) { return (resource & ((1ull << WORD_ADDRESS_BITS) - 1)) << 3; }

/* The part of a word that is named by a resource and lanes next to each other. */
static inline Word word_of_lanes(uint64_t resource, uint8_t lanes)
{
    return (Word){word_address(resource) + (unsigned)__builtin_ctz(lanes), (unsigned)__builtin_popcount(lanes), lanes};
}

static inline uint64_t word_load(uint64_t address, unsigned size)
{
    const void *p = (const void *)(uintptr_t)address;
    switch (size) {
    case 1: return *(const volatile uint8_t *)p;
    case 2: { uint16_t v; memcpy(&v, p, 2); return v; }
    case 4: { uint32_t v; memcpy(&v, p, 4); return v; }
    case 8: { uint64_t v; memcpy(&v, p, 8); return v; }
    default: { uint64_t v = 0; memcpy(&v, p, size); return v; }
    }
}

static inline void word_store(uint64_t address, uint64_t value, unsigned size)
{
    memcpy((void *)(uintptr_t)address, &value, size);
}

/* The same for a size that is 1, 2, 4 or 8. */
static inline void word_store_sized(uint64_t address, uint64_t value, unsigned size)
{
    switch (size) {
    case 4: word_store(address, value, 4); break;
    case 8: word_store(address, value, 8); break;
    case 1: word_store(address, value, 1); break;
    default: word_store(address, value, 2);
    }
}

static inline uint64_t word_mask(unsigned size) { return size >= 8 ? UINT64_MAX : (1ull << 8 * size) - 1; }

#endif
