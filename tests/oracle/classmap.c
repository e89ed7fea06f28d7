/* classmap.c - see classmap.h */
#include "classmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void classmap_reset(ClassMap *map)
{
    if (map->room)
        memset(map->entries, 0, map->room * sizeof *map->entries);
    map->count = 0;
}

void classmap_release(ClassMap *map)
{
    free(map->entries);
    *map = (ClassMap){0};
}

static struct ClassEntry *find_entry(const ClassMap *map, uint64_t class)
{
    uint32_t place = (uint32_t)class & (map->room - 1);
    while (map->entries[place].class && map->entries[place].class != class)
        place = (place + 1) & (map->room - 1);
    return &map->entries[place];
}

static void grow(ClassMap *map)
{
    ClassMap bigger = {.room = map->room ? map->room * 2 : 1024};
    bigger.entries = mem_alloc(bigger.room * sizeof *bigger.entries);
    for (uint32_t i = 0; i < map->room; i++)
        if (map->entries[i].class)
            *find_entry(&bigger, map->entries[i].class) = map->entries[i];
    bigger.count = map->count;
    free(map->entries);
    *map = bigger;
}

bool classmap_add(ClassMap *map, uint64_t class, uint64_t *state)
{
    if (map->count * 2 >= map->room)
        grow(map);
    class |= class == 0;
    struct ClassEntry *entry = find_entry(map, class);
    if (entry->class) {
        *state = entry->state;
        return false;
    }
    *entry = (struct ClassEntry){class, *state};
    map->count++;
    return true;
}

bool classmap_includes(const ClassMap *all, const ClassMap *some)
{
    for (uint32_t i = 0; i < some->room; i++)
        if (some->entries[i].class) {
            const struct ClassEntry *other = find_entry(all, some->entries[i].class);
            if (!other->class || other->state != some->entries[i].state)
                return false;
        }
    return true;
}

bool classmap_equal(const ClassMap *a, const ClassMap *b) { return a->count == b->count && classmap_includes(b, a); }
