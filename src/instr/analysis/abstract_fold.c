/* abstract_fold.c - see abstract_fold.h
 *
 * Numbers are kept sign-extended from the width of their type.
 */
#include "instr/analysis/abstract_fold.h"

static int64_t fit(uint64_t number, unsigned width)
{
    if (width == 0 || width >= 64)
        return (int64_t)number;
    uint64_t sign = 1ull << (width - 1);
    number &= (sign << 1) - 1;
    return (int64_t)((number ^ sign) - sign);
}

static uint64_t bare(int64_t number, unsigned width)
{
    return width && width < 64 ? (uint64_t)number & ((1ull << width) - 1) : (uint64_t)number;
}

/* ---- Arithmetic ---------------------------------------------------------------------- */

static bool fold(LLVMOpcode opcode, unsigned width, int64_t a, int64_t b, int64_t *result)
{
    uint64_t x = bare(a, width), y = bare(b, width), made;
    bool divides = opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
    bool shifts = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
    if (width > 64 || (divides && (b == 0 || b == -1)) || (shifts && y >= (width ? width : 64)))
        return false;
    switch (opcode) {
    case LLVMAdd: made = x + y; break;
    case LLVMSub: made = x - y; break;
    case LLVMMul: made = x * y; break;
    case LLVMUDiv: made = x / y; break;
    case LLVMURem: made = x % y; break;
    case LLVMSDiv: made = (uint64_t)(a / b); break;
    case LLVMSRem: made = (uint64_t)(a % b); break;
    case LLVMShl: made = x << y; break;
    case LLVMLShr: made = x >> y; break;
    case LLVMAShr: made = (uint64_t)(a >> y); break;
    case LLVMAnd: made = x & y; break;
    case LLVMOr: made = x | y; break;
    case LLVMXor: made = x ^ y; break;
    default: return false;
    }
    *result = fit(made, width);
    return true;
}

/* An address moved by a known distance stays exact; moved by anything else it may be anywhere in its object. */
static void add_moved(LLVMOpcode opcode, const AbsValue *addresses, const AbsValue *by, bool first, AbsValue *result)
{
    bool known = abstract_value_is_constant(by) && (opcode == LLVMAdd || (opcode == LLVMSub && first));
    for (uint32_t i = 0; i < addresses->atoms.count; i++) {
        AbsAtom atom = addresses->atoms.items[i];
        if (atom.object == OBJECT_NUMBER)
            continue;
        for (uint32_t k = 0; known && k < by->atoms.count; k++)
            abstract_value_add(result,
                         atom_moved(atom, opcode == LLVMSub ? -by->atoms.items[k].offset : by->atoms.items[k].offset));
        if (!known)
            abstract_value_add(result, atom_spread(atom, 1));
    }
}

void abstract_fold_binary(LLVMOpcode opcode, unsigned width, const AbsValue *a, const AbsValue *b, AbsValue *result)
{
    if (abstract_value_is_empty(a) || abstract_value_is_empty(b))
        return;
    if (!abstract_value_is_constant(a) || !abstract_value_is_constant(b)) {
        abstract_value_add_numbers(result);
        add_moved(opcode, a, b, true, result);
        add_moved(opcode, b, a, false, result);
        return;
    }
    for (uint32_t i = 0; i < a->atoms.count; i++)
        for (uint32_t k = 0; k < b->atoms.count; k++) {
            int64_t made;
            if (fold(opcode, width, a->atoms.items[i].offset, b->atoms.items[k].offset, &made))
                abstract_value_add_number(result, made);
            else
                abstract_value_add_numbers(result);
        }
}

/* ---- Comparisons ------------------------------------------------------------------------ */

static bool holds(LLVMIntPredicate predicate, unsigned width, int64_t a, int64_t b)
{
    uint64_t x = bare(a, width), y = bare(b, width);
    switch (predicate) {
    case LLVMIntEQ: return a == b;
    case LLVMIntNE: return a != b;
    case LLVMIntUGT: return x > y;
    case LLVMIntUGE: return x >= y;
    case LLVMIntULT: return x < y;
    case LLVMIntULE: return x <= y;
    case LLVMIntSGT: return a > b;
    case LLVMIntSGE: return a >= b;
    case LLVMIntSLT: return a < b;
    case LLVMIntSLE: return a <= b;
    }
    return false;
}

static bool is_exact(AbsAtom atom) { return atom.stride == 0 && atom.object != OBJECT_UNKNOWN; }

/* 0 or 1: the two are certainly different, or the same; 2: unknown. */
static int same(const AbsMemory *memory, AbsAtom a, AbsAtom b)
{
    if (!is_exact(a) || !is_exact(b))
        return 2;
    if (a.object == OBJECT_NUMBER && b.object == OBJECT_NUMBER)
        return a.offset == b.offset;
    if (a.object == OBJECT_NUMBER || b.object == OBJECT_NUMBER)
        return (a.object == OBJECT_NUMBER ? a.offset : b.offset) == 0 ? 0 : 2;
    if (abstract_memory_get(memory, a.object)->kind == OBJECT_THREAD ||
        abstract_memory_get(memory, b.object)->kind == OBJECT_THREAD)
        return 2;
    if (a.object != b.object)
        return 0;
    return a.offset != b.offset ? 0 : abstract_memory_get(memory, a.object)->single ? 1 : 2;
}

static void compare_atoms(const AbsMemory *memory, LLVMIntPredicate predicate, unsigned width, AbsAtom a, AbsAtom b,
                          AbsValue *result)
{
    int known = 2;
    if (a.object == OBJECT_NUMBER && b.object == OBJECT_NUMBER && is_exact(a) && is_exact(b))
        known = holds(predicate, width, a.offset, b.offset);
    else if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        known = same(memory, a, b);
    if (known != 2 && predicate == LLVMIntNE && !(a.object == OBJECT_NUMBER && b.object == OBJECT_NUMBER))
        known = !known;
    if (known != 0)
        abstract_value_add_number(result, -1);
    if (known != 1)
        abstract_value_add_number(result, 0);
}

void abstract_fold_compare(const AbsMemory *memory, LLVMIntPredicate predicate, unsigned width, const AbsValue *a,
                     const AbsValue *b, AbsValue *result)
{
    for (uint32_t i = 0; i < a->atoms.count; i++)
        for (uint32_t k = 0; k < b->atoms.count; k++)
            compare_atoms(memory, predicate, width, a->atoms.items[i], b->atoms.items[k], result);
}

/* ---- Casts ------------------------------------------------------------------------------- */

void abstract_fold_cast(LLVMOpcode opcode, unsigned from, unsigned to, const AbsValue *a, AbsValue *result)
{
    for (uint32_t i = 0; i < a->atoms.count; i++) {
        AbsAtom atom = a->atoms.items[i];
        if (atom.object == OBJECT_NUMBER && !atom.stride) {
            uint64_t number = opcode == LLVMZExt ? bare(atom.offset, from) : (uint64_t)atom.offset;
            atom.offset = fit(number, to);
        }
        abstract_value_add(result, atom);
    }
}
