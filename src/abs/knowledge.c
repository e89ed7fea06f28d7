/* knowledge.c - see knowledge.h */
#include "abs/knowledge.h"

#include <string.h>

struct Knowledge {
    uint32_t words;
    uint64_t bits[];
};

bool knowledge_has(const Knowledge *set, AgentId task)
{
    return set && task / 64 < set->words && (set->bits[task / 64] >> task % 64 & 1);
}

static Knowledge *new_set(Arena *arena, uint32_t words)
{
    Knowledge *set = arena_zero(arena, sizeof *set + words * sizeof(uint64_t));
    set->words = words;
    return set;
}

const Knowledge *knowledge_add(Arena *arena, const Knowledge *set, AgentId task)
{
    if (knowledge_has(set, task))
        return set;
    uint32_t words = task / 64 + 1;
    Knowledge *grown = new_set(arena, set && set->words > words ? set->words : words);
    if (set)
        memcpy(grown->bits, set->bits, set->words * sizeof(uint64_t));
    grown->bits[task / 64] |= 1ull << task % 64;
    return grown;
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
