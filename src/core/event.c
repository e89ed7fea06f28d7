/* event.c - see event.h */
#include "core/event.h"

static int64_t sign_extended(uint64_t value, uint8_t lanes)
{
    unsigned bits = 8u * (unsigned)__builtin_popcount(lanes);
    if (bits == 0 || bits >= 64)
        return (int64_t)value;
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Rare, so kept out of the fast path. */
static bool signed_condition_holds(const Access *access, uint64_t value)
{
    int64_t s = sign_extended(value, access->lanes), t = sign_extended((uint64_t)access->operand, access->lanes);
    switch ((Relation)access->relation) {
    case REL_SLT: return s < t;
    case REL_SLE: return s <= t;
    case REL_SGT: return s > t;
    case REL_SGE: return s >= t;
    default: return false;
    }
}

bool access_condition_holds(const Access *access, int64_t value)
{
    uint64_t u = (uint64_t)value & access->mask, v = (uint64_t)access->operand;
    switch ((Relation)access->relation) {
    case REL_TRUE:
    case REL_PROGRAM: return true;
    case REL_EQ: return u == v;
    case REL_NE: return u != v;
    case REL_ULT: return u < v;
    case REL_ULE: return u <= v;
    case REL_UGT: return u > v;
    case REL_UGE: return u >= v;
    default: return signed_condition_holds(access, u);
    }
}
