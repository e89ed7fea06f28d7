/* sym_generate.c - see sym_generate.h */
#include "sym_generate.h"

#include "sym/expr/simplify_internal.h"

static uint32_t below(Generator *g, uint32_t bound)
{
    return rng_below(&g->rng, bound);
}

void generate_inputs(Generator *g, uint32_t count, Sort sort)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    g->input_count = count;
    for (uint32_t i = 0; i < count; i++)
        g->inputs[i] = input_make(g->pool->inputs, names[i], 0, sort);
}

Bits generate_value(Generator *g, Sort sort)
{
    Bits random = (Bits)rng_next(&g->rng) << 64 | rng_next(&g->rng);
    Bits value;
    switch (below(g, 6)) {
    case 0: value = below(g, 4); break;
    case 1: value = -(Bits)below(g, 4); break;
    case 2: value = (Bits)1 << below(g, sort ? sort : 20); break;
    case 3: value = bits_mask(sort == SORT_INT && g->widest_product < SORT_WIDEST ? 8 : sort) >> 1; break;
    case 4: value = below(g, 256); break;
    default: value = random;
    }
    if (sort == SORT_INT && value != random)
        return value;
    return sort == SORT_INT ? (Bits)(SignedBits)((int32_t)random % 1000) : bits_cut(value, sort);
}

/* ---- Both ways ------------------------------------------------------------------ */

static Pair both(Generator *g, ExprOp op, Sort sort, Pair a, Pair b, Pair c)
{
    Pair p;
    p.made = expr_make(g->pool, op, sort, a.made, b.made, c.made);
    p.raw = expr_intern(g->pool, op, sort, a.raw, b.raw, c.raw);
    return p;
}

static Pair leaf(ExprId e)
{
    return (Pair){e, e};
}

static const Pair nothing = {{0}, {0}};

/* `a` cut or extended to the sort. */
static Pair resize(Generator *g, Pair a, Sort sort)
{
    Sort from = expr_sort(g->pool, a.made);
    if (from == sort)
        return a;
    if (from > sort) {
        Pair low = leaf((ExprId){below(g, from - sort + 1u)});
        return both(g, EXPR_EXTRACT, sort, a, low, nothing);
    }
    return both(g, below(g, 2) ? EXPR_ZEXT : EXPR_SEXT, sort, a, nothing, nothing);
}

static Pair generate_leaf(Generator *g, Sort sort)
{
    if (below(g, 3) == 0)
        return leaf(expr_const(g->pool, sort, generate_value(g, sort)));
    Pair input = leaf(expr_input(g->pool, g->inputs[below(g, g->input_count)]));
    Sort from = expr_sort(g->pool, input.made);
    if ((from == SORT_INT) != (sort == SORT_INT))
        return leaf(expr_const(g->pool, sort, generate_value(g, sort)));
    return sort == SORT_INT ? input : resize(g, input, sort);
}

/* ---- Operations ------------------------------------------------------------------- */

static Pair generate_int(Generator *g, int depth)
{
    static const ExprOp ops[] = {EXPR_IADD, EXPR_IADD, EXPR_ISUB, EXPR_IMUL, EXPR_IQUO,
                                 EXPR_IREM, EXPR_IDIV, EXPR_IMOD, EXPR_INEG, EXPR_ITE};
    ExprOp op = ops[below(g, 10)];
    if (op == EXPR_ITE) {
        Pair c = generate_condition(g, depth - 1), a = generate(g, SORT_INT, depth - 1);
        return both(g, op, SORT_INT, c, a, generate(g, SORT_INT, depth - 1));
    }
    Pair a = generate(g, SORT_INT, depth - 1);
    return both(g, op, SORT_INT, a, op == EXPR_INEG ? nothing : generate(g, SORT_INT, depth - 1), nothing);
}

static Sort other_width(Generator *g, Sort sort)
{
    static const Sort widths[] = {1, 3, 4, 8, 8, 16, 32, 32, 64, 128};
    Sort width = widths[below(g, 10)];
    return width == sort ? (Sort)(width < 128 ? width + 1 : 64) : width;
}

static Pair generate_shape(Generator *g, Sort sort, int depth)
{
    if (sort > 1 && below(g, 2)) {
        Sort low = (Sort)(1 + below(g, sort - 1u));
        Pair high = generate(g, (Sort)(sort - low), depth - 1);
        return both(g, EXPR_CONCAT, sort, high, generate(g, low, depth - 1), nothing);
    }
    return resize(g, generate(g, other_width(g, sort), depth - 1), sort);
}

static Pair generate_bits(Generator *g, Sort sort, int depth)
{
    static const ExprOp ops[] = {EXPR_ADD,  EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM,
                                 EXPR_AND,  EXPR_AND, EXPR_OR,  EXPR_XOR, EXPR_SHL,  EXPR_LSHR, EXPR_ASHR, EXPR_NOT,
                                 EXPR_NEG,  EXPR_ITE, EXPR_ADD, EXPR_OR};
    ExprOp op = ops[below(g, 20)];
    if (op >= EXPR_MUL && op <= EXPR_SREM && sort > g->widest_product)
        op = EXPR_ADD;
    if (op == EXPR_ITE) {
        Pair c = generate(g, SORT_BOOL, depth - 1), a = generate(g, sort, depth - 1);
        return both(g, op, sort, c, a, generate(g, sort, depth - 1));
    }
    Pair a = generate(g, sort, depth - 1);
    if (op == EXPR_NOT || op == EXPR_NEG)
        return both(g, op, sort, a, nothing, nothing);
    bool shift = op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR;
    Pair b = shift && below(g, 2) ? leaf(expr_const(g->pool, sort, below(g, sort + 2u))) : generate(g, sort, depth - 1);
    return both(g, op, sort, a, b, nothing);
}

static bool uses_integers(const Generator *g)
{
    return input_get(g->pool->inputs, g->inputs[0])->sort == SORT_INT;
}

static Pair generate_comparison(Generator *g, int depth)
{
    static const ExprOp bits_ops[] = {EXPR_EQ, EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
    static const ExprOp int_ops[] = {EXPR_EQ, EXPR_EQ, EXPR_ILT, EXPR_ILE, EXPR_ILT, EXPR_ILE};
    Sort own = input_get(g->pool->inputs, g->inputs[0])->sort;
    Sort sort = uses_integers(g) ? SORT_INT : below(g, 3) ? own : other_width(g, 0);
    ExprOp op = (sort == SORT_INT ? int_ops : bits_ops)[below(g, 6)];
    Pair a = generate(g, sort, depth - 1);
    Pair b = below(g, 2) ? leaf(expr_const(g->pool, sort, generate_value(g, sort))) : generate(g, sort, depth - 1);
    return below(g, 2) ? both(g, op, SORT_BOOL, a, b, nothing) : both(g, op, SORT_BOOL, b, a, nothing);
}

Pair generate(Generator *g, Sort sort, int depth)
{
    if (depth <= 0 || below(g, 6) == 0)
        return generate_leaf(g, sort);
    if (sort == SORT_INT)
        return generate_int(g, depth);
    if (sort == SORT_BOOL && below(g, 3))
        return generate_comparison(g, depth);
    return below(g, 4) == 0 && !uses_integers(g) ? generate_shape(g, sort, depth) : generate_bits(g, sort, depth);
}

Pair generate_condition(Generator *g, int depth)
{
    Pair condition = generate_comparison(g, depth);
    if (below(g, 5) == 0)
        condition = both(g, below(g, 2) ? EXPR_AND : EXPR_OR, SORT_BOOL, condition, generate_comparison(g, depth),
                         nothing);
    if (below(g, 4) == 0)
        condition = both(g, EXPR_NOT, SORT_BOOL, condition, nothing, nothing);
    return condition;
}
