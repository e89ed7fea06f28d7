/* abstract_value.h - what a register or a memory location may hold: a set of atoms
 *
 * An atom is an object with an offset: the number `offset` for OBJECT_NUMBER, an address for all others. With a
 * stride s > 0 it stands for all offsets that differ by multiples of s, as the same field of any element of an array
 * does. Sets only grow; large ones become coarser.
 */
#ifndef INSTR_ANALYSIS_ABSTRACT_VALUE_H
#define INSTR_ANALYSIS_ABSTRACT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum {
    OBJECT_NUMBER,  /* offset: its value                                       */
    OBJECT_UNKNOWN, /* an address that comes from external code                */
    OBJECT_FIRST    /* objects of the program                                  */
};

typedef struct AbsAtom {
    uint32_t object;
    uint32_t stride;  /* 0: exactly this offset                                */
    int64_t offset;   /* with a stride: from 0 to stride - 1                   */
} AbsAtom;

typedef struct AbsValue {
    VEC(AbsAtom) atoms;  /* sorted, no duplicates; empty: no value reaches it */
} AbsValue;

void abstract_value_release(AbsValue *value);

/* True if the set changed. */
bool abstract_value_add(AbsValue *value, AbsAtom atom);
bool abstract_value_join(AbsValue *value, const AbsValue *other);
bool abstract_value_add_number(AbsValue *value, int64_t number);
/* Any number at all. */
bool abstract_value_add_numbers(AbsValue *value);

bool abstract_value_is_empty(const AbsValue *value);
/* Only numbers, each of them known? */
bool abstract_value_is_constant(const AbsValue *value);
bool abstract_value_equal(const AbsValue *a, const AbsValue *b);
/* May the two be the same address? */
bool abstract_value_may_be_same(const AbsValue *a, const AbsValue *b);

/* The atom moved by `delta` bytes; moved by all multiples of `scale`. */
AbsAtom atom_moved(AbsAtom atom, int64_t delta);
AbsAtom atom_spread(AbsAtom atom, uint64_t scale);
/* May `size` bytes at one and `other_size` bytes at the other overlap? */
bool atom_overlaps(AbsAtom a, uint64_t size, AbsAtom b, uint64_t other_size);
/* May the two be the same address? */
bool atom_meets(AbsAtom a, AbsAtom b);

#endif
