/* knowledge.c - see knowledge.h
 *
 * Even bits are tasks, odd ones objects.
 */
#include "abs/run/knowledge.h"

#include <string.h>

struct Knowledge {
    uint32_t words;
    uint64_t bits[];
};

static bool has(const Knowledge *set, uint32_t bit)
{
    return set && bit / 64 < set->words && (set->bits[bit / 64] >> bit % 64 & 1);
}

static Knowledge *new_set(Arena *arena, uint32_t words)
{
    Knowledge *set = arena_zero(arena, sizeof *set + words * sizeof(uint64_t));
    set->words = words;
    return set;
}

static const Knowledge *add(Arena *arena, const Knowledge *set, uint32_t bit)
{
    if (has(set, bit))
        return set;
    uint32_t words = bit / 64 + 1;
    Knowledge *grown = new_set(arena, set && set->words > words ? set->words : words);
    if (set)
        memcpy(grown->bits, set->bits, set->words * sizeof(uint64_t));
    grown->bits[bit / 64] |= 1ull << bit % 64;
    return grown;
}

bool knowledge_has(const Knowledge *set, AgentId task) { return has(set, 2 * task); }
const Knowledge *knowledge_add(Arena *arena, const Knowledge *set, AgentId task) { return add(arena, set, 2 * task); }
bool knowledge_has_object(const Knowledge *set, uint32_t starter) { return has(set, 2 * starter + 1); }

const Knowledge *knowledge_add_object(Arena *arena, const Knowledge *set, uint32_t starter)
{
    return add(arena, set, 2 * starter + 1);
}

static bool includes(const Knowledge *a, const Knowledge *b)
{
    for (uint32_t i = 0; i < b->words; i++)
        if (b->bits[i] & ~(i < a->words ? a->bits[i] : 0))
            return false;
    return true;
}

const Knowledge *knowledge_join(Arena *arena, const Knowledge *a, const Knowledge *b)
{
    if (!b || a == b || (a && includes(a, b)))
        return a;
    if (!a || includes(b, a))
        return b;
    Knowledge *joined = new_set(arena, a->words > b->words ? a->words : b->words);
    memcpy(joined->bits, a->bits, a->words * sizeof(uint64_t));
    for (uint32_t i = 0; i < b->words; i++)
        joined->bits[i] |= b->bits[i];
    return joined;
}
