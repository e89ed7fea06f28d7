/* atoms.h - hash-consed sets of small numbers
 *
 * Points-to sets are few and shared by many variables, so each set exists once and is identified by its number; joins
 * of two sets are cached.
 */
#ifndef DEADLOCK_ATOMS_H
#define DEADLOCK_ATOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

typedef uint32_t SetId; /* 0: the empty set */

typedef struct AtomSet {
    const uint32_t *items; /* ascending */
    uint32_t count;
    uint32_t same_hash;    /* another set with this hash, or 0 */
} AtomSet;

/* Start with {0}. */
typedef struct Atoms {
    Arena arena;
    VEC(AtomSet) sets;
    Map by_hash;
    Map joins;
} Atoms;

void atoms_release(Atoms *atoms);
/* The set with one member; the union of two sets. */
SetId atoms_single(Atoms *atoms, uint32_t atom);
SetId atoms_join(Atoms *atoms, SetId a, SetId b);
/* The members of a set; valid until the next set is created. */
AtomSet atoms_get(const Atoms *atoms, SetId set);
bool atoms_has(const Atoms *atoms, SetId set, uint32_t atom);

#endif
