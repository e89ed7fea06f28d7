/* condition.h - branch conditions on the value that an atomic instruction found
 *
 * Clang spells `while (!(load(&x) & 1))` as a chain of casts, masks and comparisons. A Condition is its meaning:
 * (value found & mask) relation operand.
 */
#ifndef INSTR_MODULE_CONDITION_H
#define INSTR_MODULE_CONDITION_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/event.h"

typedef struct Condition {
    LLVMValueRef source;  /* atomic load, read-modify-write or cmpxchg     */
    uint64_t mask;        /* within the source's width                     */
    Relation relation;
    LLVMValueRef operand; /* an integer or pointer no wider than the source; NULL: constant */
    uint64_t constant;
} Condition;

/* The meaning of a boolean value. */
typedef struct Meaning {
    enum { MEANS_UNKNOWN, MEANS_CONSTANT, MEANS_CONDITION } kind;
    bool constant;       /* the value; for a condition: true unless negated */
    Condition condition;
} Meaning;

/* Resolves values that depend on the path taken: answers the value that a phi has on it, or the value itself. */
typedef struct Resolver Resolver;
struct Resolver {
    LLVMValueRef (*resolve)(const Resolver *self, LLVMValueRef value);
};

/* The meaning of an i1. */
Meaning condition_meaning(const Resolver *resolver, LLVMValueRef value);

bool condition_equal(const Condition *a, const Condition *b);
Relation condition_negate(Relation relation);
/* Does a constant value (already masked, zero-extended) satisfy a condition on `bits` bits
 * with a constant operand? */
bool condition_holds(const Condition *condition, uint64_t value, unsigned bits);

/* The width in bits of the value that an atomic instruction finds. */
unsigned condition_source_bits(LLVMValueRef source);

#endif
