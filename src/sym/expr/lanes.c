/* lanes.c - see lanes.h
 *
 * Design: each node in which the input occurs is an array of 256 values, computed by loops
 * that the compiler turns into vector code; any other node is one value. Conditions
 * with integers or more than 64 bits are evaluated value by value.
 */
#include "sym/expr/lanes.h"

#include <string.h>

#include "sym/expr/cone.h"
#include "sym/expr/eval.h"
#include "sym/expr/op.h"

enum { LANES = 256, SLOW_FACTOR = 8 };

/* One node's values. */
typedef struct Lane {
    uint64_t values[LANES];
} Lane;

struct Lanes {
    const ExprPool *pool;
    Cone *cone;
    VEC(Lane) lanes;      /* by position in the cone */
    VEC(bool) uniform;    /* values[0] is the value in every lane */
    VEC(Lane) spread;     /* room for three uniform operands */
    Evaluator *evaluator;
    Assignment trial;
    InputId input;        /* at hand, and its value in lane 0 */
    Bits base;
    const Assignment *others;
    bool failed;
};

/* ---- Sets ------------------------------------------------------------------------ */

ByteSet byteset_first(unsigned count)
{
    ByteSet set = {{0}};
    for (unsigned i = 0; i < count; i += 64)
        set.words[i / 64] = count - i >= 64 ? UINT64_MAX : ((uint64_t)1 << (count - i)) - 1;
    return set;
}

bool byteset_is_empty(const ByteSet *set)
{
    return !(set->words[0] | set->words[1] | set->words[2] | set->words[3]);
}

unsigned byteset_count(const ByteSet *set)
{
    unsigned count = 0;
    for (int i = 0; i < 4; i++)
        count += (unsigned)__builtin_popcountll(set->words[i]);
    return count;
}

void byteset_meet(ByteSet *set, const ByteSet *other)
{
    for (int i = 0; i < 4; i++)
        set->words[i] &= other->words[i];
}

int byteset_next(const ByteSet *set, unsigned from)
{
    for (unsigned i = from / 64; i < 4; i++) {
        uint64_t rest = set->words[i];
        if (i == from / 64)
            rest &= UINT64_MAX << from % 64;
        if (rest)
            return (int)(64 * i + (unsigned)__builtin_ctzll(rest));
    }
    return -1;
}

/* ---- Lifecycle --------------------------------------------------------------------- */

Lanes *lanes_create(const ExprPool *pool)
{
    Lanes *lanes = mem_alloc(sizeof *lanes);
    lanes->pool = pool;
    lanes->cone = cone_create(pool);
    lanes->evaluator = evaluator_create(pool);
    VEC_RESERVE(&lanes->spread, 3);
    return lanes;
}

void lanes_destroy(Lanes *lanes)
{
    if (!lanes)
        return;
    cone_destroy(lanes->cone);
    evaluator_destroy(lanes->evaluator);
    assignment_release(&lanes->trial);
    VEC_FREE(&lanes->lanes);
    VEC_FREE(&lanes->uniform);
    VEC_FREE(&lanes->spread);
    free(lanes);
}

/* ---- Operations ---------------------------------------------------------------------- */

#define EACH_LANE(value)              \
    for (int i = 0; i < LANES; i++)   \
        r[i] = (value);               \
    return true

/* x and y are the operands as signed numbers of 64 bits. */
static uint64_t divide_signed(int64_t x, int64_t y)
{
    if (y == 0)
        return x < 0 ? 1 : UINT64_MAX;
    return y == -1 ? -(uint64_t)x : (uint64_t)(x / y);
}

static uint64_t remain_signed(int64_t x, int64_t y)
{
    return y == 0 ? (uint64_t)x : y == -1 ? 0 : (uint64_t)(x % y);
}

/* The operations that are worth a loop of their own. False for the others. */
static bool apply_loops(const ExprNode *node, Sort inner, unsigned extra, uint64_t *restrict r,
                        const uint64_t *restrict a, const uint64_t *restrict b, const uint64_t *restrict c)
{
    uint64_t mask = (uint64_t)bits_mask(node->sort);
    int up = 64 - inner;
    switch (node->op) {
    case EXPR_ITE: EACH_LANE(a[i] ? b[i] : c[i]);
    case EXPR_UDIV: EACH_LANE(b[i] ? a[i] / b[i] : mask);
    case EXPR_UREM: EACH_LANE(b[i] ? a[i] % b[i] : a[i]);
    case EXPR_SDIV: EACH_LANE(divide_signed((int64_t)(a[i] << up) >> up, (int64_t)(b[i] << up) >> up) & mask);
    case EXPR_SREM: EACH_LANE(remain_signed((int64_t)(a[i] << up) >> up, (int64_t)(b[i] << up) >> up) & mask);
    case EXPR_SHL: EACH_LANE(b[i] < inner ? a[i] << b[i] & mask : 0);
    case EXPR_LSHR: EACH_LANE(b[i] < inner ? a[i] >> b[i] : 0);
    case EXPR_ADD: EACH_LANE((a[i] + b[i]) & mask);
    case EXPR_SUB: EACH_LANE((a[i] - b[i]) & mask);
    case EXPR_MUL: EACH_LANE((a[i] * b[i]) & mask);
    case EXPR_AND: EACH_LANE(a[i] & b[i]);
    case EXPR_OR: EACH_LANE(a[i] | b[i]);
    case EXPR_XOR: EACH_LANE(a[i] ^ b[i]);
    case EXPR_NOT: EACH_LANE(~a[i] & mask);
    case EXPR_NEG: EACH_LANE(-a[i] & mask);
    case EXPR_EQ: EACH_LANE(a[i] == b[i]);
    case EXPR_ULT: EACH_LANE(a[i] < b[i]);
    case EXPR_ULE: EACH_LANE(a[i] <= b[i]);
    case EXPR_SLT: EACH_LANE((int64_t)(a[i] << up) < (int64_t)(b[i] << up));
    case EXPR_SLE: EACH_LANE((int64_t)(a[i] << up) <= (int64_t)(b[i] << up));
    case EXPR_ZEXT: EACH_LANE(a[i]);
    case EXPR_SEXT: EACH_LANE((uint64_t)((int64_t)(a[i] << up) >> up) & mask);
    case EXPR_EXTRACT: EACH_LANE(a[i] >> extra & mask);
    case EXPR_CONCAT: EACH_LANE(a[i] << extra | b[i]);
    default: return false;
    }
}

static void apply_singly(const ExprNode *node, Sort inner, unsigned extra, uint64_t *r, const uint64_t *operands[3])
{
    for (int i = 0; i < LANES; i++) {
        Bits value = 0, o[3] = {0};
        for (unsigned k = 0; k < expr_operands((ExprOp)node->op); k++)
            o[k] = operands[k][i];
        op_apply((ExprOp)node->op, inner, extra, o, &value);
        r[i] = (uint64_t)bits_cut(value, node->sort);
    }
}

/* ---- Nodes ------------------------------------------------------------------------------ */

static void set_uniform(Lanes *lanes, uint32_t position, uint64_t value)
{
    lanes->lanes.items[position].values[0] = value;
    lanes->uniform.items[position] = true;
}

static void compute_leaf(Lanes *lanes, const ExprNode *node, uint32_t position)
{
    if (node->op == EXPR_CONST) {
        set_uniform(lanes, position, node->half[0]);
    } else if (node->word[0] != lanes->input.index) {
        set_uniform(lanes, position, (uint64_t)assignment_get(lanes->others, (InputId){node->word[0]}));
    } else {
        uint64_t mask = (uint64_t)bits_mask(node->sort), base = (uint64_t)lanes->base;
        for (unsigned i = 0; i < LANES; i++)
            lanes->lanes.items[position].values[i] = (base + i) & mask;
        lanes->uniform.items[position] = false;
    }
}

static void compute_uniform(Lanes *lanes, const ExprNode *node, uint32_t position, const uint32_t *operands)
{
    Bits value = 0, o[3] = {0};
    for (unsigned k = 0; k < expr_operands((ExprOp)node->op); k++)
        o[k] = lanes->lanes.items[operands[k]].values[0];
    op_apply((ExprOp)node->op, op_operand_sort(lanes->pool, node), op_extra(lanes->pool, node), o, &value);
    set_uniform(lanes, position, (uint64_t)bits_cut(value, node->sort));
}

/* An operand's 256 values; a uniform one is spread out first. */
static const uint64_t *values_of(Lanes *lanes, uint32_t position, unsigned k)
{
    uint64_t *values = lanes->lanes.items[position].values;
    if (!lanes->uniform.items[position])
        return values;
    uint64_t *spread = lanes->spread.items[k].values;
    for (int i = 0; i < LANES; i++)
        spread[i] = values[0];
    return spread;
}

static void compute_lanes(Lanes *lanes, const ExprNode *node, uint32_t position, const uint32_t *operands)
{
    const uint64_t *values[3] = {0};
    unsigned count = expr_operands((ExprOp)node->op), extra = op_extra(lanes->pool, node);
    Sort inner = op_operand_sort(lanes->pool, node);
    for (unsigned k = 0; k < count; k++)
        values[k] = values_of(lanes, operands[k], k);
    uint64_t *r = lanes->lanes.items[position].values;
    lanes->uniform.items[position] = false;
    if (!apply_loops(node, inner, extra, r, values[0], values[1], values[2]))
        apply_singly(node, inner, extra, r, values);
}

static void compute_node(Lanes *lanes, ExprId e, uint32_t position)
{
    const ExprNode *node = expr_get(lanes->pool, e);
    uint32_t operands[3];
    bool uniform = true;
    if (node->op == EXPR_CONST || node->op == EXPR_INPUT) {
        compute_leaf(lanes, node, position);
        return;
    }
    for (unsigned k = 0; k < expr_operands((ExprOp)node->op); k++) {
        operands[k] = cone_position(lanes->cone, expr_operand(node, k));
        uniform = uniform && lanes->uniform.items[operands[k]];
    }
    if (uniform)
        compute_uniform(lanes, node, position, operands);
    else
        compute_lanes(lanes, node, position, operands);
}

/* ---- Conditions ---------------------------------------------------------------------------- */

static ByteSet collect_truth(const Lanes *lanes, uint32_t position)
{
    const uint64_t *values = lanes->lanes.items[position].values;
    ByteSet set = {{0}};
    for (unsigned i = 0; i < LANES; i++)
        set.words[i / 64] |= values[lanes->uniform.items[position] ? 0 : i] << i % 64;
    return set;
}

static bool fits_lanes(const Lanes *lanes, const ExprId *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        Sort sort = expr_sort(lanes->pool, nodes[i]);
        if (sort == SORT_INT || sort > 64)
            return false;
    }
    return true;
}

static ByteSet solve_singly(Lanes *lanes, ExprId condition)
{
    ByteSet set = {{0}};
    Sort sort = input_get(lanes->pool->inputs, lanes->input)->sort;
    unsigned values = sort != SORT_INT && sort < 8 ? 1u << sort : LANES;
    assignment_copy(&lanes->trial, lanes->others);
    for (unsigned i = 0; i < values; i++) {
        Bits truth = 0;
        assignment_set(&lanes->trial, lanes->input, bits_cut(lanes->base + i, sort));
        evaluator_use(lanes->evaluator, &lanes->trial);
        lanes->failed |= !evaluator_get(lanes->evaluator, condition, &truth);
        set.words[i / 64] |= (uint64_t)(truth == 1) << i % 64;
    }
    return set;
}

ByteSet lanes_solve(Lanes *lanes, ExprId condition, InputId input, Bits base, const Assignment *others, uint64_t *cost)
{
    uint32_t count;
    const ExprId *nodes = cone_collect(lanes->cone, &condition, 1, &count);
    lanes->input = input;
    lanes->base = base;
    lanes->others = others;
    *cost += count;
    if (!fits_lanes(lanes, nodes, count)) {
        *cost += count * (SLOW_FACTOR - 1);
        return solve_singly(lanes, condition);
    }
    VEC_RESERVE(&lanes->lanes, count);
    VEC_RESERVE(&lanes->uniform, count);
    for (uint32_t i = 0; i < count; i++)
        compute_node(lanes, nodes[i], i);
    return collect_truth(lanes, count - 1);
}

bool lanes_take_failure(Lanes *lanes)
{
    bool failed = lanes->failed;
    lanes->failed = false;
    return failed;
}
