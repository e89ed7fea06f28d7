/* classmap.h - a set of classes of executions, each with the state that it ends in */
#ifndef ORACLE_CLASSMAP_H
#define ORACLE_CLASSMAP_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the hash of a class to the hash of its final state. */
typedef struct ClassMap {
    struct ClassEntry { uint64_t class, state; } *entries;
    uint32_t count, room;
} ClassMap;

void classmap_reset(ClassMap *map);
void classmap_release(ClassMap *map);
/* Adds a class; false if it was there already (then *state is what was there). */
bool classmap_add(ClassMap *map, uint64_t class, uint64_t *state);
bool classmap_includes(const ClassMap *all, const ClassMap *some);
bool classmap_equal(const ClassMap *a, const ClassMap *b);

#endif
