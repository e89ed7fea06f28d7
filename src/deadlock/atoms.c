/* atoms.c - see atoms.h */
#include "deadlock/atoms.h"

#include <string.h>

void atoms_release(Atoms *atoms)
{
    arena_release(&atoms->arena);
    VEC_FREE(&atoms->sets);
    map_release(&atoms->by_hash);
    map_release(&atoms->joins);
}

static uint64_t hash_items(const uint32_t *items, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = map_mix(hash, items[i]);
    return hash >> 1;
}

static SetId intern(Atoms *atoms, const uint32_t *items, uint32_t count)
{
    bool added;
    if (!atoms->sets.count)
        VEC_PUSH(&atoms->sets, (AtomSet){0});
    if (!count)
        return 0;
    uint64_t *place = map_insert(&atoms->by_hash, hash_items(items, count), &added);
    for (SetId id = (SetId)*place; id; id = atoms->sets.items[id].same_hash)
        if (atoms->sets.items[id].count == count && !memcmp(atoms->sets.items[id].items, items, count * sizeof *items))
            return id;
    uint32_t *copy = arena_alloc(&atoms->arena, count * sizeof *copy);
    memcpy(copy, items, count * sizeof *copy);
    VEC_PUSH(&atoms->sets, ((AtomSet){copy, count, (uint32_t)*place}));
    *place = atoms->sets.count - 1;
    return (SetId)*place;
}

SetId atoms_single(Atoms *atoms, uint32_t atom)
{
    return intern(atoms, &atom, 1);
}

static SetId merge(Atoms *atoms, AtomSet a, AtomSet b)
{
    uint32_t i = 0, k = 0, count = 0;
    uint32_t *items = mem_alloc((a.count + b.count) * sizeof *items);
    while (i < a.count || k < b.count) {
        if (k == b.count || (i < a.count && a.items[i] < b.items[k]))
            items[count++] = a.items[i++];
        else {
            i += i < a.count && a.items[i] == b.items[k];
            items[count++] = b.items[k++];
        }
    }
    SetId set = intern(atoms, items, count);
    free(items);
    return set;
}

SetId atoms_join(Atoms *atoms, SetId a, SetId b)
{
    bool added;
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    uint64_t *place = map_insert(&atoms->joins, key, &added);
    if (added)
        *place = merge(atoms, atoms->sets.items[a], atoms->sets.items[b]);
    return (SetId)*place;
}

AtomSet atoms_get(const Atoms *atoms, SetId set)
{
    return set ? atoms->sets.items[set] : (AtomSet){0};
}

bool atoms_has(const Atoms *atoms, SetId set, uint32_t atom)
{
    AtomSet members = atoms_get(atoms, set);
    for (uint32_t i = 0; i < members.count; i++)
        if (members.items[i] == atom)
            return true;
    return false;
}
