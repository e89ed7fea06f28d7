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

bool access_compares(const Access *access, int64_t value)
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

/* ---- Words ---------------------------------------------------------------- */

uint64_t access_apply(uint64_t word, const Access *access, Mode mode)
{
    uint64_t mask = lanes_mask(access->lanes), operand = lanes_place(access->operand, access->lanes), next = word;
    switch (mode) {
    case MODE_NONE: break;
    case MODE_READ: next = lanes_place(access->before, access->lanes); break;
    case MODE_WRITE: next = lanes_place(access->after, access->lanes); break;
    case MODE_ACCUMULATE: next = word + lanes_place(access->after - access->before, access->lanes); break;
    case MODE_ACCUMULATE_OR: next = word | operand; break;
    case MODE_ACCUMULATE_AND: next = word & operand; break;
    case MODE_ACCUMULATE_XOR: next = word ^ operand; break;
    }
    return (word & ~mask) | (next & mask);
}
