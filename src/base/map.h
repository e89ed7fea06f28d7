/* map.h - hash map from 64-bit keys to 64-bit values */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MapEntry {
    uint64_t key;
    uint64_t value;
} MapEntry;

/* Start with {0}. Any key but MAP_NO_KEY may be used. */
typedef struct Map {
    MapEntry *entries;
    uint32_t count;
    uint32_t room; /* 0 or a power of two */
} Map;

#define MAP_NO_KEY UINT64_MAX

void map_release(Map *map);
void map_reset(Map *map);

/* The place of the key's value, or NULL. Valid until the next insertion. */
uint64_t *map_find(const Map *map, uint64_t key);
/* The place of the key's value, added with value 0 if it was not there; *added (may be NULL) says whether it was added.
 * Valid until the next insertion. */
uint64_t *map_insert(Map *map, uint64_t key, bool *added);

static inline uint64_t map_key(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* One 64-bit key from two numbers; also combines hashes. */
static inline uint64_t map_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull;
    return h ^ (h >> 32);
}

#endif
