/* bits.h - concrete values: bit-vectors of up to 128 bits and 128-bit integers
 *
 * A value of a bit-vector sort is kept with zeros above its width. A value of the
 * integer sort is the two's complement of a number in [-2^127, 2^127).
 */
#ifndef SYM_EXPR_BITS_H
#define SYM_EXPR_BITS_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 Bits;
typedef __int128 SignedBits;

/* 1..128: bit-vectors of that width; a Boolean is a bit-vector of width 1. */
typedef uint8_t Sort;
enum { SORT_INT = 0, SORT_BOOL = 1, SORT_WIDEST = 128 };

/* The ones that a value of this sort may have; all of them for integers. */
static inline Bits bits_mask(Sort sort)
{
    return sort == SORT_INT || sort == 128 ? ~(Bits)0 : ((Bits)1 << sort) - 1;
}

static inline Bits bits_cut(Bits value, Sort sort)
{
    return value & bits_mask(sort);
}

/* The number that the value means when read as signed. */
static inline SignedBits bits_signed(Bits value, Sort sort)
{
    unsigned unused = sort == SORT_INT ? 0 : 128u - sort;
    return (SignedBits)(value << unused) >> unused;
}

#endif
