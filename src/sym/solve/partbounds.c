/* partbounds.c - see partbounds.h
 *
 * Design: a record per expression that is compared with constants, found by node id, and a
 * trail of old records. Unsigned and signed comparisons are kept apart; integers are signed.
 * After everything was removed all records are empty, so a reset of the pool does no harm.
 */
#include "sym/solve/partbounds.h"

#include "base/map.h"
#include "base/vec.h"

/* A condition on one expression. Comparisons with constants are strict (simplify_internal.h). */
typedef enum Shape { SHAPE_OTHER, SHAPE_BELOW, SHAPE_ABOVE, SHAPE_EQUAL, SHAPE_UNEQUAL } Shape;

typedef struct Atom {
    Shape shape;
    bool is_signed; /* of BELOW and ABOVE */
    ExprId x;
    Sort sort;      /* of x */
    Bits constant;
} Atom;

/* low < x < high, and which parts say so (plus 1; 0: none). */
typedef struct Interval {
    Bits low, high;
    uint32_t low_part, high_part;
} Interval;

typedef struct Record {
    Interval order[2]; /* unsigned, signed */
    Bits value;
    uint32_t value_part;
} Record;

typedef struct BoundUndo {
    uint32_t record;
    uint32_t part;
    Record old;
} BoundUndo;

struct PartBounds {
    const ExprPool *pool;
    Map records_by_node; /* -> index into records */
    VEC(Record) records;
    VEC(BoundUndo) trail;
};

PartBounds *partbounds_create(const ExprPool *pool)
{
    PartBounds *bounds = mem_alloc(sizeof *bounds);
    bounds->pool = pool;
    return bounds;
}

void partbounds_destroy(PartBounds *bounds)
{
    if (!bounds)
        return;
    map_release(&bounds->records_by_node);
    VEC_FREE(&bounds->records);
    VEC_FREE(&bounds->trail);
    free(bounds);
}

/* ---- Conditions ------------------------------------------------------------------ */

static Atom read_comparison(const ExprPool *pool, const ExprNode *node)
{
    ExprId a = expr_operand(node, 0), b = expr_operand(node, 1);
    Atom atom = {.is_signed = node->op != EXPR_ULT, .sort = expr_sort(pool, a)};
    if (expr_is_const(pool, b, &atom.constant)) {
        atom.shape = SHAPE_BELOW;
        atom.x = a;
    } else if (expr_is_const(pool, a, &atom.constant)) {
        atom.shape = SHAPE_ABOVE;
        atom.x = b;
    }
    return atom;
}

static Atom read_atom(const ExprPool *pool, ExprId condition)
{
    const ExprNode *node = expr_get(pool, condition);
    if (node->op == EXPR_ULT || node->op == EXPR_SLT || node->op == EXPR_ILT)
        return read_comparison(pool, node);
    bool negated = node->op == EXPR_NOT;
    if (negated)
        node = expr_get(pool, expr_operand(node, 0));
    Atom atom = {0};
    if (node->op != EXPR_EQ || !expr_is_const(pool, expr_operand(node, 1), &atom.constant))
        return atom;
    atom.shape = negated ? SHAPE_UNEQUAL : SHAPE_EQUAL;
    atom.x = expr_operand(node, 0);
    atom.sort = expr_sort(pool, atom.x);
    return atom;
}

/* ---- Deciding ---------------------------------------------------------------------- */

static bool is_less(Bits a, Bits b, Sort sort, bool is_signed)
{
    return is_signed ? bits_signed(a, sort) < bits_signed(b, sort) : a < b;
}

static bool holds_for(const Atom *atom, Bits value)
{
    switch (atom->shape) {
    case SHAPE_BELOW: return is_less(value, atom->constant, atom->sort, atom->is_signed);
    case SHAPE_ABOVE: return is_less(atom->constant, value, atom->sort, atom->is_signed);
    case SHAPE_EQUAL: return value == atom->constant;
    default: return value != atom->constant;
    }
}

static bool contains(const Interval *interval, Bits value, Sort sort, bool is_signed)
{
    return (!interval->low_part || is_less(interval->low, value, sort, is_signed)) &&
           (!interval->high_part || is_less(value, interval->high, sort, is_signed));
}

/* x < c: known if x < high <= c; impossible if c <= low + 1 (low < x has a solution, so low + 1
 * does not wrap). */
static BoundVerdict decide_below(const Interval *known, const Atom *atom)
{
    if (known->high_part && !is_less(atom->constant, known->high, atom->sort, atom->is_signed))
        return BOUND_HOLDS;
    Bits first = bits_cut(known->low + 1, atom->sort);
    if (known->low_part && !is_less(first, atom->constant, atom->sort, atom->is_signed))
        return BOUND_FAILS;
    return BOUND_OPEN;
}

static BoundVerdict decide_above(const Interval *known, const Atom *atom)
{
    if (known->low_part && !is_less(known->low, atom->constant, atom->sort, atom->is_signed))
        return BOUND_HOLDS;
    Bits last = bits_cut(known->high - 1, atom->sort);
    if (known->high_part && !is_less(atom->constant, last, atom->sort, atom->is_signed))
        return BOUND_FAILS;
    return BOUND_OPEN;
}

static BoundVerdict decide_equal(const Record *record, const Atom *atom)
{
    bool possible = contains(&record->order[0], atom->constant, atom->sort, false) &&
                    contains(&record->order[1], atom->constant, atom->sort, true);
    if (possible)
        return BOUND_OPEN;
    return atom->shape == SHAPE_EQUAL ? BOUND_FAILS : BOUND_HOLDS;
}

static const Record *find_record(const PartBounds *bounds, const Atom *atom)
{
    const uint64_t *index = atom->shape == SHAPE_OTHER ? NULL : map_find(&bounds->records_by_node, atom->x.id);
    return index ? &bounds->records.items[*index] : NULL;
}

BoundVerdict partbounds_decide(const PartBounds *bounds, ExprId condition)
{
    Atom atom = read_atom(bounds->pool, condition);
    const Record *record = find_record(bounds, &atom);
    if (!record)
        return BOUND_OPEN;
    if (record->value_part)
        return holds_for(&atom, record->value) ? BOUND_HOLDS : BOUND_FAILS;
    switch (atom.shape) {
    case SHAPE_BELOW: return decide_below(&record->order[atom.is_signed], &atom);
    case SHAPE_ABOVE: return decide_above(&record->order[atom.is_signed], &atom);
    default: return decide_equal(record, &atom);
    }
}

/* ---- Noting and forgetting ------------------------------------------------------------ */

static uint32_t record_of(PartBounds *bounds, ExprId x)
{
    bool added;
    uint64_t *index = map_insert(&bounds->records_by_node, x.id, &added);
    if (added) {
        *index = bounds->records.count;
        VEC_PUSH(&bounds->records, (Record){0});
    }
    return (uint32_t)*index;
}

void partbounds_add(PartBounds *bounds, ExprId condition, uint32_t part)
{
    Atom atom = read_atom(bounds->pool, condition);
    if (atom.shape == SHAPE_OTHER || atom.shape == SHAPE_UNEQUAL)
        return;
    uint32_t index = record_of(bounds, atom.x);
    Record *record = &bounds->records.items[index];
    BoundUndo undo = {index, part, *record};
    VEC_PUSH(&bounds->trail, undo);
    if (atom.shape == SHAPE_EQUAL) {
        *record = (Record){.value = atom.constant, .value_part = part + 1};
    } else if (atom.shape == SHAPE_BELOW) {
        record->order[atom.is_signed].high = atom.constant;
        record->order[atom.is_signed].high_part = part + 1;
    } else {
        record->order[atom.is_signed].low = atom.constant;
        record->order[atom.is_signed].low_part = part + 1;
    }
}

static const BoundUndo *latest(const PartBounds *bounds, uint32_t part)
{
    const BoundUndo *undo = bounds->trail.count ? &bounds->trail.items[bounds->trail.count - 1] : NULL;
    return undo && undo->part == part ? undo : NULL;
}

static void add_if_gone(uint32_t before, uint32_t after, uint32_t *parts, uint32_t *count)
{
    if (before && before != after)
        parts[(*count)++] = before - 1;
}

uint32_t partbounds_replaced(const PartBounds *bounds, uint32_t part, uint32_t *parts)
{
    const BoundUndo *undo = latest(bounds, part);
    uint32_t count = 0;
    if (!undo)
        return 0;
    const Record *now = &bounds->records.items[undo->record];
    for (int i = 0; i < 2; i++) {
        add_if_gone(undo->old.order[i].low_part, now->order[i].low_part, parts, &count);
        add_if_gone(undo->old.order[i].high_part, now->order[i].high_part, parts, &count);
    }
    return count;
}

void partbounds_remove(PartBounds *bounds, uint32_t part)
{
    const BoundUndo *undo = latest(bounds, part);
    if (!undo)
        return;
    bounds->records.items[undo->record] = undo->old;
    bounds->trail.count--;
}
