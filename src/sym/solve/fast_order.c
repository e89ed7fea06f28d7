/* fast_order.c - comparisons between values, decided as differences
 *
 * Every atom x < y, x <= y, x == y, x < c, .. bounds a difference of two variables (one may
 * be zero): x - y <= k. The matrix of tightest bounds is kept closed while atoms are
 * added; a variable that must be below itself is a contradiction. A solution near zero
 * is then read off by fixing one variable after the other.
 *
 * A variable is whatever is compared, an input or not. Signed and unsigned comparisons
 * are two separate problems, an equality belongs to both; integers belong to the signed
 * one, where also x + c and x - y are taken apart. What does not fit is left out,
 * which is sound for contradictions; assignments are evaluated.
 */
#include <string.h>

#include "sym/solve/fast_internal.h"

enum { MOST_VARIABLES = 40, ZERO = 0 };

#define FAR (INT64_MAX / 4)
/* Constants beyond this are left out, so that sums along a path stay in 64 bits. */
#define LARGEST ((int64_t)1 << 54)

/* x - y <= bound */
typedef int64_t Bounds[MOST_VARIABLES][MOST_VARIABLES];

typedef struct Distinct {
    uint32_t x, y; /* x - y != offset */
    int64_t offset;
} Distinct;

struct FastOrder {
    const FastQuery *query;
    bool is_signed;
    Bounds bounds;
    uint32_t count;      /* variables, with ZERO */
    ExprId variables[MOST_VARIABLES];
    bool contradiction;
    bool has_pair;       /* an atom between two variables was seen */
    VEC(Distinct) distinct;
    VEC(uint32_t) numbers; /* by cone position: variable plus 1 */
};

FastOrder *fast_order_create(void)
{
    return mem_alloc(sizeof(FastOrder));
}

void fast_order_destroy(FastOrder *order)
{
    if (!order)
        return;
    VEC_FREE(&order->distinct);
    VEC_FREE(&order->numbers);
    free(order);
}

/* ---- Bounds ------------------------------------------------------------------------------- */

static int64_t plus(int64_t a, int64_t b)
{
    return a >= FAR || b >= FAR ? FAR : a + b;
}

/* Adds x - y <= k and keeps the matrix closed. */
static void add_bound(FastOrder *o, uint32_t x, uint32_t y, int64_t k)
{
    if (k >= o->bounds[x][y])
        return;
    if (plus(o->bounds[y][x], k) < 0) {
        o->contradiction = true;
        return;
    }
    int64_t to_y[MOST_VARIABLES];
    memcpy(to_y, o->bounds[y], sizeof to_y);
    for (uint32_t i = 0; i < o->count; i++) {
        int64_t via = plus(o->bounds[i][x], k);
        if (via >= FAR)
            continue;
        for (uint32_t j = 0; j < o->count; j++) {
            int64_t bound = plus(via, to_y[j]);
            if (bound < o->bounds[i][j])
                o->bounds[i][j] = bound;
        }
    }
}

/* ---- Variables ------------------------------------------------------------------------------ */

/* The bounds that come with the sort; none for 64 bits and more. */
static void bound_by_sort(FastOrder *o, uint32_t x, Sort sort)
{
    if (sort == SORT_INT || sort > 48)
        return;
    int64_t values = (int64_t)1 << sort;
    add_bound(o, x, ZERO, o->is_signed ? values / 2 - 1 : values - 1);
    add_bound(o, ZERO, x, o->is_signed ? values / 2 : 0);
}

/* The number of a variable, made if it is new; MOST_VARIABLES if there are too many. */
static uint32_t variable_of(FastOrder *o, ExprId e)
{
    uint32_t *number = &o->numbers.items[cone_position(o->query->cone, e)];
    if (*number)
        return *number - 1;
    if (o->count == MOST_VARIABLES)
        return MOST_VARIABLES;
    uint32_t x = o->count++;
    *number = x + 1;
    o->variables[x] = e;
    for (uint32_t i = 0; i < o->count; i++)
        o->bounds[i][x] = o->bounds[x][i] = i == x ? 0 : FAR;
    bound_by_sort(o, x, expr_sort(o->query->pool, e));
    return x;
}

/* A side of a comparison as x - y + offset. */
typedef struct Side {
    uint32_t x, y;
    int64_t offset;
    bool fits;
} Side;

static bool is_moderate(SignedBits value)
{
    return value <= LARGEST && value >= -LARGEST;
}

static Side read_const(const FastOrder *o, const ExprNode *node)
{
    Bits bits = expr_value(node);
    SignedBits value = o->is_signed ? bits_signed(bits, node->sort) : (SignedBits)bits;
    bool fits = is_moderate(value) && (o->is_signed || bits >> 100 == 0);
    return (Side){ZERO, ZERO, fits ? (int64_t)value : 0, fits};
}

static Side read_side(FastOrder *o, ExprId e)
{
    const ExprPool *pool = o->query->pool;
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_CONST)
        return read_const(o, node);
    if (node->op == EXPR_IADD) {
        Side left = read_side(o, expr_operand(node, 0)), right = read_side(o, expr_operand(node, 1));
        if (left.fits && right.fits && right.x == ZERO && right.y == ZERO && is_moderate(left.offset + right.offset))
            return (Side){left.x, left.y, left.offset + right.offset, true};
    }
    if (node->op == EXPR_ISUB) {
        uint32_t x = variable_of(o, expr_operand(node, 0)), y = variable_of(o, expr_operand(node, 1));
        return (Side){x, y, 0, x < MOST_VARIABLES && y < MOST_VARIABLES};
    }
    uint32_t x = variable_of(o, e);
    return (Side){x, ZERO, 0, x < MOST_VARIABLES};
}

/* ---- Atoms ----------------------------------------------------------------------------------- */

/* The difference a - b as x - y + offset; false if it has more than two variables. */
static bool subtract_sides(Side a, Side b, Side *difference)
{
    if (!a.fits || !b.fits)
        return false;
    uint32_t plus_side[2] = {a.x, b.y}, minus_side[2] = {a.y, b.x};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (plus_side[i] == minus_side[j])
                plus_side[i] = minus_side[j] = ZERO;
    if ((plus_side[0] != ZERO && plus_side[1] != ZERO) || (minus_side[0] != ZERO && minus_side[1] != ZERO))
        return false;
    *difference = (Side){plus_side[0] != ZERO ? plus_side[0] : plus_side[1],
                         minus_side[0] != ZERO ? minus_side[0] : minus_side[1], a.offset - b.offset, true};
    return true;
}

/* a - b <= k */
static void add_atom(FastOrder *o, Side a, Side b, int64_t k)
{
    Side d;
    if (!subtract_sides(a, b, &d))
        return;
    if (d.x == d.y)
        o->contradiction |= d.offset > k;
    else
        add_bound(o, d.x, d.y, k - d.offset);
    o->has_pair |= d.x != ZERO && d.y != ZERO;
}

static void add_distinct(FastOrder *o, Side a, Side b)
{
    Side d;
    if (!subtract_sides(a, b, &d))
        return;
    Distinct distinct = {d.x, d.y, -d.offset};
    VEC_PUSH(&o->distinct, distinct);
    o->has_pair |= d.x != ZERO && d.y != ZERO;
}

/* Whether the operation belongs to the problem at hand, and if it is strict. */
static bool is_order(const FastOrder *o, uint8_t op, bool *strict)
{
    *strict = op == EXPR_SLT || op == EXPR_ULT || op == EXPR_ILT;
    if (op == EXPR_ULT || op == EXPR_ULE)
        return !o->is_signed;
    return o->is_signed && (op == EXPR_SLT || op == EXPR_SLE || op == EXPR_ILT || op == EXPR_ILE);
}

/* Integers are signed; bits are never compared as values of one bit. */
static bool compares_here(const FastOrder *o, const ExprNode *node)
{
    Sort sort = expr_sort(o->query->pool, expr_operand(node, 0));
    return sort != SORT_BOOL && (o->is_signed || sort != SORT_INT);
}

static void read_condition(FastOrder *o, ExprId condition)
{
    const ExprNode *node = expr_get(o->query->pool, condition);
    bool negated = node->op == EXPR_NOT, strict;
    if (negated)
        node = expr_get(o->query->pool, expr_operand(node, 0));
    bool equality = node->op == EXPR_EQ;
    if ((!equality && (negated || !is_order(o, node->op, &strict))) || !compares_here(o, node))
        return;
    Side a = read_side(o, expr_operand(node, 0)), b = read_side(o, expr_operand(node, 1));
    if (negated) {
        add_distinct(o, a, b);
    } else if (equality) {
        add_atom(o, a, b, 0);
        add_atom(o, b, a, 0);
    } else {
        add_atom(o, a, b, strict ? -1 : 0);
    }
}

/* ---- Assignments ------------------------------------------------------------------------------------ */

static void fix(FastOrder *o, uint32_t x, int64_t value)
{
    add_bound(o, x, ZERO, value);
    add_bound(o, ZERO, x, -value);
}

static bool is_fixed(const FastOrder *o, uint32_t x, int64_t *value)
{
    *value = o->bounds[x][ZERO];
    return o->bounds[x][ZERO] < FAR && o->bounds[x][ZERO] == -o->bounds[ZERO][x];
}

/* Whether x must not have the value because of a variable that is fixed already. */
static bool is_excluded(const FastOrder *o, uint32_t x, int64_t value)
{
    for (uint32_t i = 0; i < o->distinct.count; i++) {
        Distinct d = o->distinct.items[i];
        int64_t other;
        if (d.x == x && is_fixed(o, d.y, &other) && value - other == d.offset)
            return true;
        if (d.y == x && is_fixed(o, d.x, &other) && other - value == d.offset)
            return true;
    }
    return false;
}

/* The value nearest to zero that x may have. */
static bool choose_value(const FastOrder *o, uint32_t x, int64_t *value)
{
    int64_t hi = o->bounds[x][ZERO], lo = o->bounds[ZERO][x] >= FAR ? -FAR : -o->bounds[ZERO][x];
    int64_t start = lo > 0 ? lo : hi < 0 ? hi : 0;
    for (int64_t step = 0; step <= (int64_t)o->distinct.count + 1; step++) {
        if (start + step <= hi && !is_excluded(o, x, start + step)) {
            *value = start + step;
            return true;
        }
        if (start - step >= lo && !is_excluded(o, x, start - step)) {
            *value = start - step;
            return true;
        }
    }
    return false;
}

static bool fix_all(FastOrder *o)
{
    for (uint32_t x = 1; x < o->count; x++) {
        int64_t value;
        if (!choose_value(o, x, &value))
            return false;
        fix(o, x, value);
        if (o->contradiction)
            return false;
    }
    return true;
}

static bool find_assignment(FastOrder *o, Assignment *assignment)
{
    const FastQuery *query = o->query;
    if (!fix_all(o))
        return false;
    assignment_reset(assignment);
    for (uint32_t i = 0; i < query->input_count; i++)
        assignment_set(assignment, query->inputs[i],
                       query->witness ? assignment_get(query->witness, query->inputs[i]) : 0);
    for (uint32_t x = 1; x < o->count; x++) {
        const ExprNode *node = expr_get(query->pool, o->variables[x]);
        int64_t value;
        if (node->op == EXPR_INPUT && is_fixed(o, x, &value))
            assignment_set(assignment, (InputId){node->word[0]}, bits_cut((Bits)(SignedBits)value, node->sort));
    }
    return fast_confirms(query, assignment);
}

/* ---- The procedure --------------------------------------------------------------------------------- */

static void start(FastOrder *o, const FastQuery *query, bool is_signed)
{
    o->query = query;
    o->is_signed = is_signed;
    o->count = 1;
    o->bounds[ZERO][ZERO] = 0;
    o->contradiction = o->has_pair = false;
    o->distinct.count = 0;
    VEC_RESERVE(&o->numbers, query->node_count);
    memset(o->numbers.items, 0, query->node_count * sizeof *o->numbers.items);
}

static SolverResult solve(FastOrder *o, const FastQuery *query, bool is_signed, Assignment *assignment)
{
    start(o, query, is_signed);
    for (uint32_t i = 0; i < query->count && !o->contradiction; i++)
        read_condition(o, query->conditions[i]);
    if (o->contradiction)
        return SOLVER_UNSAT;
    return o->has_pair && find_assignment(o, assignment) ? SOLVER_SAT : SOLVER_UNKNOWN;
}

/* Which of the two problems there are. */
static void find_kinds(const FastQuery *query, bool *has_signed, bool *has_unsigned)
{
    *has_signed = *has_unsigned = false;
    for (uint32_t i = 0; i < query->count; i++) {
        const ExprNode *node = expr_get(query->pool, query->conditions[i]);
        *has_unsigned |= node->op == EXPR_ULT || node->op == EXPR_ULE;
        *has_signed |= node->op == EXPR_SLT || node->op == EXPR_SLE || node->op == EXPR_ILT || node->op == EXPR_ILE;
    }
    if (!*has_signed && !*has_unsigned)
        *has_signed = true;
}

SolverResult fast_order_check(FastOrder *o, const FastQuery *query, Assignment *assignment)
{
    bool has_signed, has_unsigned;
    find_kinds(query, &has_signed, &has_unsigned);
    SolverResult result = has_signed ? solve(o, query, true, assignment) : SOLVER_UNKNOWN;
    if (result == SOLVER_UNKNOWN && has_unsigned)
        result = solve(o, query, false, assignment);
    return result;
}
