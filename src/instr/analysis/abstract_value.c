/* abstract_value.c - see abstract_value.h */
#include "instr/analysis/abstract_value.h"

/* Beyond these numbers, offsets into one object, or numbers, are no longer distinguished. */
enum { MOST_OFFSETS = 64, MOST_NUMBERS = 8 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t modulo(int64_t number, uint64_t stride)
{
    int64_t rest = number % (int64_t)stride;
    return rest < 0 ? rest + (int64_t)stride : rest;
}

/* ---- Atoms ------------------------------------------------------------------------- */

static AbsAtom with_stride(AbsAtom atom, uint64_t stride)
{
    if (stride == 0)
        return atom;
    atom.stride = stride > UINT32_MAX ? 1 : (uint32_t)stride;
    atom.offset = modulo(atom.offset, atom.stride);
    return atom;
}

AbsAtom atom_moved(AbsAtom atom, int64_t delta)
{
    atom.offset = (int64_t)((uint64_t)atom.offset + (uint64_t)delta);
    return with_stride(atom, atom.stride);
}

AbsAtom atom_spread(AbsAtom atom, uint64_t scale) { return with_stride(atom, common_divisor(atom.stride, scale)); }

bool atom_overlaps(AbsAtom a, uint64_t size, AbsAtom b, uint64_t other_size)
{
    uint64_t stride = common_divisor(a.stride, b.stride);
    if (a.object != b.object)
        return false;
    if (stride == 0)
        return a.offset < b.offset + (int64_t)other_size && b.offset < a.offset + (int64_t)size;
    uint64_t distance = (uint64_t)modulo(a.offset - b.offset, stride);
    return distance < other_size || stride - distance < size;
}

bool atom_meets(AbsAtom a, AbsAtom b) { return atom_overlaps(a, 1, b, 1); }

/* Does `by` include everything that `atom` stands for? */
static bool covers(AbsAtom by, AbsAtom atom)
{
    if (by.object != atom.object)
        return false;
    if (by.stride == 0)
        return atom.stride == 0 && by.offset == atom.offset;
    return atom.stride % by.stride == 0 && modulo(atom.offset, by.stride) == by.offset;
}

static int compare(AbsAtom a, AbsAtom b)
{
    if (a.object != b.object)
        return a.object < b.object ? -1 : 1;
    if (a.stride != b.stride)
        return a.stride < b.stride ? -1 : 1;
    return a.offset < b.offset ? -1 : a.offset > b.offset;
}

/* ---- Sets -------------------------------------------------------------------------- */

void abstract_value_release(AbsValue *value) { VEC_FREE(&value->atoms); }

static void remove_covered(AbsValue *value, AbsAtom by)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < value->atoms.count; i++)
        if (!covers(by, value->atoms.items[i]))
            value->atoms.items[kept++] = value->atoms.items[i];
    value->atoms.count = kept;
}

static void insert(AbsValue *value, AbsAtom atom)
{
    remove_covered(value, atom);
    VEC_PUSH(&value->atoms, atom);
    uint32_t at = value->atoms.count - 1;
    for (; at > 0 && compare(atom, value->atoms.items[at - 1]) < 0; at--)
        value->atoms.items[at] = value->atoms.items[at - 1];
    value->atoms.items[at] = atom;
}

/* Too many atoms of an object become one that covers them all. */
static void coarsen(AbsValue *value, uint32_t object)
{
    uint32_t count = 0;
    uint64_t stride = 0;
    AbsAtom first = {0};
    for (uint32_t i = 0; i < value->atoms.count; i++) {
        AbsAtom atom = value->atoms.items[i];
        if (atom.object != object)
            continue;
        if (count++ == 0)
            first = atom;
        int64_t distance = atom.offset - first.offset;
        stride = common_divisor(common_divisor(stride, atom.stride), (uint64_t)(distance < 0 ? -distance : distance));
    }
    if (count <= (object == OBJECT_NUMBER ? MOST_NUMBERS : MOST_OFFSETS))
        return;
    insert(value, with_stride(first, object == OBJECT_NUMBER ? 1 : stride));
}

bool abstract_value_add(AbsValue *value, AbsAtom atom)
{
    if (atom.object == OBJECT_UNKNOWN)
        atom = (AbsAtom){.object = OBJECT_UNKNOWN};
    if (atom.object == OBJECT_NUMBER && atom.stride)
        atom = (AbsAtom){.object = OBJECT_NUMBER, .stride = 1};
    for (uint32_t i = 0; i < value->atoms.count; i++)
        if (covers(value->atoms.items[i], atom))
            return false;
    insert(value, atom);
    coarsen(value, atom.object);
    return true;
}

bool abstract_value_join(AbsValue *value, const AbsValue *other)
{
    bool changed = false;
    for (uint32_t i = 0; i < other->atoms.count; i++)
        changed |= abstract_value_add(value, other->atoms.items[i]);
    return changed;
}

bool abstract_value_add_number(AbsValue *value, int64_t number)
{
    return abstract_value_add(value, (AbsAtom){OBJECT_NUMBER, 0, number});
}

bool abstract_value_add_numbers(AbsValue *value) { return abstract_value_add(value, (AbsAtom){OBJECT_NUMBER, 1, 0}); }

bool abstract_value_is_empty(const AbsValue *value) { return value->atoms.count == 0; }

bool abstract_value_is_constant(const AbsValue *value)
{
    for (uint32_t i = 0; i < value->atoms.count; i++)
        if (value->atoms.items[i].object != OBJECT_NUMBER || value->atoms.items[i].stride)
            return false;
    return value->atoms.count > 0;
}

bool abstract_value_equal(const AbsValue *a, const AbsValue *b)
{
    if (a->atoms.count != b->atoms.count)
        return false;
    for (uint32_t i = 0; i < a->atoms.count; i++)
        if (compare(a->atoms.items[i], b->atoms.items[i]) != 0)
            return false;
    return true;
}

bool abstract_value_may_be_same(const AbsValue *a, const AbsValue *b)
{
    for (uint32_t i = 0; i < a->atoms.count; i++)
        for (uint32_t k = 0; k < b->atoms.count; k++) {
            AbsAtom x = a->atoms.items[i], y = b->atoms.items[k];
            if (x.object == OBJECT_UNKNOWN || y.object == OBJECT_UNKNOWN ||
                (x.object != OBJECT_NUMBER && atom_meets(x, y)))
                return true;
        }
    return false;
}
