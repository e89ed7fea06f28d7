/* map.c - see map.h
 *
 * Design: open addressing with linear probing, at most two thirds full.
 */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void map_release(Map *map)
{
    free(map->entries);
    *map = (Map){0};
}

void map_reset(Map *map)
{
    if (map->count)
        memset(map->entries, 0xff, (size_t)map->room * sizeof *map->entries);
    map->count = 0;
}

static MapEntry *probe(const Map *map, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15ull;
    uint32_t mask = map->room - 1;
    uint32_t i = (uint32_t)(h >> 32) & mask;
    while (map->entries[i].key != key && map->entries[i].key != MAP_NO_KEY)
        i = (i + 1) & mask;
    return &map->entries[i];
}

uint64_t *map_find(const Map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    MapEntry *entry = probe(map, key);
    return entry->key == key ? &entry->value : NULL;
}

static void grow(Map *map)
{
    Map old = *map;
    map->room = old.room ? old.room * 2 : 16;
    map->entries = mem_alloc((size_t)map->room * sizeof *map->entries);
    memset(map->entries, 0xff, (size_t)map->room * sizeof *map->entries);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.entries[i].key != MAP_NO_KEY)
            *probe(map, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

uint64_t *map_insert(Map *map, uint64_t key, bool *added)
{
    if ((map->count + 1) * 3 > map->room * 2)
        grow(map);
    MapEntry *entry = probe(map, key);
    bool fresh = entry->key != key;
    if (fresh) {
        entry->key = key;
        entry->value = 0;
        map->count++;
    }
    if (added)
        *added = fresh;
    return &entry->value;
}
