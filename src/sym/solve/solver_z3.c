/* solver_z3.c - see solver_z3.h
 *
 * The conditions of the last query stay asserted, one scope each; the next query keeps
 * the prefix they have in common. Expressions are translated once and kept by node id.
 * When a contradiction is found, a second solver names the conditions it takes; tracking
 * them all the time would make every query slower by up to a half (bench/sym). The limit
 * of time is counted in z3's own units: the same query gets the same answer on a
 * slower machine, and no timer thread is needed.
 * Bit-vectors of width 1 are Booleans here.
 *
 * The simple solver without automatic configuration and with relevancy off is the
 * fastest on incremental bit-vector queries (bench/sym); with integers relevancy helps.
 */
#include "sym/solve/solver_z3.h"

#include <stdlib.h>
#include <z3.h>

#include "base/vec.h"
#include "sym/expr/cone.h"
#include "sym/expr/print.h"

enum { MOST_TRANSLATED = 1 << 18, UNITS_PER_MS = 1000 };

typedef struct Z3Layer {
    Solver solver;
    ExprPool *pool;
    Evaluator *evaluator;
    Support *support;
    Cone *cone;
    uint32_t generation;
    uint32_t inputs_seen;
    bool has_integers;
    Z3_context z3;
    Z3_solver incremental;
    Z3_solver for_cores;
    uint32_t timeout_ms;
    VEC(Z3_ast) translated;  /* by node id; NULL: not yet */
    uint32_t translated_count;
    VEC(Z3_ast) pinned;      /* parts of the operation being translated */
    VEC(ExprId) asserted;    /* one scope each */
} Z3Layer;

/* ---- Context --------------------------------------------------------------------- */

/* Errors are seen by asking for the code; without a handler z3 would end the process. */
static void ignore_error(Z3_context z3, Z3_error_code code)
{
    (void)z3;
    (void)code;
}

static void set_params(Z3Layer *self, Z3_solver solver, uint32_t timeout_ms)
{
    Z3_params params = Z3_mk_params(self->z3);
    Z3_params_inc_ref(self->z3, params);
    Z3_params_set_bool(self->z3, params, Z3_mk_string_symbol(self->z3, "auto_config"), false);
    Z3_params_set_uint(self->z3, params, Z3_mk_string_symbol(self->z3, "relevancy"), self->has_integers ? 2 : 0);
    Z3_params_set_uint(self->z3, params, Z3_mk_string_symbol(self->z3, "rlimit"), timeout_ms * UNITS_PER_MS);
    Z3_solver_set_params(self->z3, solver, params);
    Z3_params_dec_ref(self->z3, params);
}

static Z3_solver open_solver(Z3Layer *self)
{
    Z3_solver solver = Z3_mk_simple_solver(self->z3);
    Z3_solver_inc_ref(self->z3, solver);
    return solver;
}

static void open_context(Z3Layer *self)
{
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "auto_config", "false");
    self->z3 = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(self->z3, ignore_error);
    self->incremental = open_solver(self);
    self->for_cores = open_solver(self);
    self->generation = self->pool->generation;
    self->timeout_ms = 0;
}

static void close_context(Z3Layer *self)
{
    for (uint32_t i = 0; i < self->translated.count; i++) {
        if (self->translated.items[i])
            Z3_dec_ref(self->z3, self->translated.items[i]);
        self->translated.items[i] = NULL;
    }
    self->translated_count = self->asserted.count = 0;
    Z3_solver_dec_ref(self->z3, self->incremental);
    Z3_solver_dec_ref(self->z3, self->for_cores);
    Z3_del_context(self->z3);
}

/* Whether the first integer input has come since the last time. */
static bool meets_integers(Z3Layer *self)
{
    bool had = self->has_integers;
    for (; self->inputs_seen < self->pool->inputs->count; self->inputs_seen++)
        self->has_integers |= input_get(self->pool->inputs, (InputId){self->inputs_seen})->sort == SORT_INT;
    return self->has_integers != had;
}

/* A fresh context when ids changed their meaning, the old one has grown large, or its
 * parameters are not the right ones any more. */
static void follow_pool(Z3Layer *self)
{
    bool other = meets_integers(self);
    if (other || self->generation != self->pool->generation || self->translated_count > MOST_TRANSLATED) {
        close_context(self);
        open_context(self);
    }
    while (self->translated.count < expr_count(self->pool))
        VEC_PUSH(&self->translated, NULL);
}

/* ---- Translation: leaves ----------------------------------------------------------- */

static Z3_sort sort_of(Z3_context z3, Sort sort)
{
    if (sort == SORT_INT)
        return Z3_mk_int_sort(z3);
    return sort == SORT_BOOL ? Z3_mk_bool_sort(z3) : Z3_mk_bv_sort(z3, sort);
}

static Z3_ast translate_const(Z3_context z3, const ExprNode *node)
{
    Bits value = expr_value(node);
    if (node->sort == SORT_BOOL)
        return value ? Z3_mk_true(z3) : Z3_mk_false(z3);
    if (node->sort != SORT_INT && node->sort <= 64)
        return Z3_mk_unsigned_int64(z3, (uint64_t)value, sort_of(z3, node->sort));
    Text text = {0};
    bool negative = node->sort == SORT_INT && (SignedBits)value < 0;
    text_add_string(&text, negative ? "-" : "");
    print_number(negative ? -value : value, &text);
    Z3_ast result = Z3_mk_numeral(z3, text_borrow(&text), sort_of(z3, node->sort));
    text_release(&text);
    return result;
}

static Z3_ast translate_input(Z3_context z3, const ExprNode *node)
{
    return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)node->word[0]), sort_of(z3, node->sort));
}

/* ---- Translation: operations -------------------------------------------------------- */

/* z3 keeps a new expression only until the next one is made, unless someone holds it. */
static Z3_ast pin(Z3Layer *self, Z3_ast ast)
{
    Z3_inc_ref(self->z3, ast);
    VEC_PUSH(&self->pinned, ast);
    return ast;
}

static void unpin_all(Z3Layer *self)
{
    while (self->pinned.count)
        Z3_dec_ref(self->z3, self->pinned.items[--self->pinned.count]);
}

static Z3_ast bit(Z3Layer *self, unsigned value)
{
    return pin(self, Z3_mk_unsigned_int64(self->z3, value, Z3_mk_bv_sort(self->z3, 1)));
}

/* A Boolean as a bit-vector of width 1, anything else unchanged. */
static Z3_ast as_bits(Z3Layer *self, Z3_ast a, Sort sort)
{
    return sort == SORT_BOOL ? pin(self, Z3_mk_ite(self->z3, a, bit(self, 1), bit(self, 0))) : a;
}

/* The operations that Booleans have themselves; NULL for the others. */
static Z3_ast translate_boolean(Z3_context z3, uint8_t op, Z3_ast a, Z3_ast b)
{
    switch (op) {
    case EXPR_AND: return Z3_mk_and(z3, 2, (Z3_ast[]){a, b});
    case EXPR_OR: return Z3_mk_or(z3, 2, (Z3_ast[]){a, b});
    case EXPR_XOR: return Z3_mk_xor(z3, a, b);
    case EXPR_NOT: return Z3_mk_not(z3, a);
    case EXPR_EQ: return Z3_mk_eq(z3, a, b);
    default: return NULL;
    }
}

/* x / y for y != 0, rounded towards zero. z3's own keeps the remainder positive. */
static Z3_ast quotient_to_zero(Z3Layer *self, Z3_ast x, Z3_ast y, Z3_ast zero)
{
    Z3_context z3 = self->z3;
    Z3_ast minus_x = pin(self, Z3_mk_unary_minus(z3, x));
    Z3_ast positive = pin(self, Z3_mk_div(z3, x, y));
    Z3_ast negative = pin(self, Z3_mk_unary_minus(z3, pin(self, Z3_mk_div(z3, minus_x, y))));
    return pin(self, Z3_mk_ite(z3, pin(self, Z3_mk_ge(z3, x, zero)), positive, negative));
}

/* x / y for y != 0, rounded down. */
static Z3_ast quotient_down(Z3Layer *self, Z3_ast x, Z3_ast y, Z3_ast zero)
{
    Z3_context z3 = self->z3;
    Z3_ast minus_x = pin(self, Z3_mk_unary_minus(z3, x)), minus_y = pin(self, Z3_mk_unary_minus(z3, y));
    Z3_ast positive = pin(self, Z3_mk_div(z3, x, y)), negative = pin(self, Z3_mk_div(z3, minus_x, minus_y));
    return pin(self, Z3_mk_ite(z3, pin(self, Z3_mk_gt(z3, y, zero)), positive, negative));
}

static Z3_ast quotient(Z3Layer *self, Z3_ast x, Z3_ast y, bool down)
{
    Z3_ast zero = pin(self, Z3_mk_int64(self->z3, 0, Z3_mk_int_sort(self->z3)));
    Z3_ast result = down ? quotient_down(self, x, y, zero) : quotient_to_zero(self, x, y, zero);
    return pin(self, Z3_mk_ite(self->z3, pin(self, Z3_mk_eq(self->z3, y, zero)), zero, result));
}

static Z3_ast remainder_of(Z3Layer *self, Z3_ast x, Z3_ast y, bool down)
{
    Z3_ast product = pin(self, Z3_mk_mul(self->z3, 2, (Z3_ast[]){quotient(self, x, y, down), y}));
    return Z3_mk_sub(self->z3, 2, (Z3_ast[]){x, product});
}

static Z3_ast translate_integer(Z3Layer *self, uint8_t op, Z3_ast a, Z3_ast b)
{
    Z3_context z3 = self->z3;
    Z3_ast both[2] = {a, b};
    switch (op) {
    case EXPR_IADD: return Z3_mk_add(z3, 2, both);
    case EXPR_ISUB: return Z3_mk_sub(z3, 2, both);
    case EXPR_IMUL: return Z3_mk_mul(z3, 2, both);
    case EXPR_INEG: return Z3_mk_unary_minus(z3, a);
    case EXPR_IQUO: return quotient(self, a, b, false);
    case EXPR_IREM: return remainder_of(self, a, b, false);
    case EXPR_IDIV: return quotient(self, a, b, true);
    case EXPR_IMOD: return remainder_of(self, a, b, true);
    case EXPR_ILT: return Z3_mk_lt(z3, a, b);
    case EXPR_ILE: return Z3_mk_le(z3, a, b);
    default: return Z3_mk_eq(z3, a, b);
    }
}

static Z3_ast translate_bits(Z3_context z3, uint8_t op, Z3_ast a, Z3_ast b)
{
    switch (op) {
    case EXPR_ADD: return Z3_mk_bvadd(z3, a, b);
    case EXPR_SUB: return Z3_mk_bvsub(z3, a, b);
    case EXPR_MUL: return Z3_mk_bvmul(z3, a, b);
    case EXPR_UDIV: return Z3_mk_bvudiv(z3, a, b);
    case EXPR_SDIV: return Z3_mk_bvsdiv(z3, a, b);
    case EXPR_UREM: return Z3_mk_bvurem(z3, a, b);
    case EXPR_SREM: return Z3_mk_bvsrem(z3, a, b);
    case EXPR_AND: return Z3_mk_bvand(z3, a, b);
    case EXPR_OR: return Z3_mk_bvor(z3, a, b);
    case EXPR_XOR: return Z3_mk_bvxor(z3, a, b);
    case EXPR_SHL: return Z3_mk_bvshl(z3, a, b);
    case EXPR_LSHR: return Z3_mk_bvlshr(z3, a, b);
    case EXPR_ASHR: return Z3_mk_bvashr(z3, a, b);
    case EXPR_NOT: return Z3_mk_bvnot(z3, a);
    case EXPR_NEG: return Z3_mk_bvneg(z3, a);
    case EXPR_CONCAT: return Z3_mk_concat(z3, a, b);
    case EXPR_EQ: return Z3_mk_eq(z3, a, b);
    case EXPR_ULT: return Z3_mk_bvult(z3, a, b);
    case EXPR_ULE: return Z3_mk_bvule(z3, a, b);
    case EXPR_SLT: return Z3_mk_bvslt(z3, a, b);
    default: assert(op == EXPR_SLE); return Z3_mk_bvsle(z3, a, b);
    }
}

static bool is_comparison(uint8_t op)
{
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_ULE || op == EXPR_SLT || op == EXPR_SLE;
}

static Z3_ast translate_shape(Z3_context z3, const ExprNode *node, Z3_ast a, Sort inner)
{
    switch (node->op) {
    case EXPR_EXTRACT: return Z3_mk_extract(z3, node->word[1] + node->sort - 1, node->word[1], a);
    case EXPR_ZEXT: return Z3_mk_zero_ext(z3, (unsigned)(node->sort - inner), a);
    case EXPR_SEXT: return Z3_mk_sign_ext(z3, (unsigned)(node->sort - inner), a);
    default: return NULL;
    }
}

static Z3_ast translate_operation(Z3Layer *self, const ExprNode *node)
{
    Z3_context z3 = self->z3;
    Z3_ast operands[3] = {0};
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        operands[i] = self->translated.items[node->word[i]];
    Z3_ast a = operands[0], b = operands[1], r = NULL;
    if (node->op == EXPR_ITE)
        return Z3_mk_ite(z3, a, b, operands[2]);
    Sort inner = expr_sort(self->pool, expr_operand(node, 0));
    if (inner == SORT_INT)
        return translate_integer(self, node->op, a, b);
    if (inner == SORT_BOOL)
        r = translate_boolean(z3, node->op, a, b);
    if (r)
        return r;
    a = as_bits(self, a, inner);
    if (b)
        b = as_bits(self, b, expr_sort(self->pool, expr_operand(node, 1)));
    r = translate_shape(z3, node, a, inner);
    if (!r)
        r = translate_bits(z3, node->op, a, b);
    if (node->sort != SORT_BOOL || is_comparison(node->op))
        return r;
    r = pin(self, r);
    return Z3_mk_eq(z3, r, bit(self, 1));
}

static Z3_ast translate(Z3Layer *self, ExprId e)
{
    uint32_t count;
    const ExprId *order = cone_collect(self->cone, &e, 1, &count);
    for (uint32_t i = 0; i < count; i++) {
        const ExprNode *node = expr_get(self->pool, order[i]);
        Z3_ast *slot = &self->translated.items[order[i].id];
        if (*slot)
            continue;
        *slot = node->op == EXPR_CONST   ? translate_const(self->z3, node)
                : node->op == EXPR_INPUT ? translate_input(self->z3, node)
                                         : translate_operation(self, node);
        Z3_inc_ref(self->z3, *slot);
        unpin_all(self);
        self->translated_count++;
    }
    return self->translated.items[e.id];
}

/* ---- Assignments ---------------------------------------------------------------------- */

/* Decimal digits, perhaps with a sign; false if it does not fit 128 bits. */
static bool parse_number(const char *text, Bits *value)
{
    bool negative = *text == '-';
    Bits limit = ((Bits)1 << 127) - !negative, number = 0;
    for (text += negative; *text; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (digit > 9 || number > (limit - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *value = negative ? -number : number;
    return true;
}

static bool read_value(Z3_context z3, Z3_ast ast, Sort sort, Bits *value)
{
    uint64_t small;
    if (sort == SORT_BOOL) {
        *value = Z3_get_bool_value(z3, ast) == Z3_L_TRUE;
        return true;
    }
    if (Z3_get_ast_kind(z3, ast) != Z3_NUMERAL_AST)
        return false;
    if (sort != SORT_INT && Z3_get_numeral_uint64(z3, ast, &small)) {
        *value = small;
        return true;
    }
    if (sort == SORT_WIDEST) {
        /* May need all 128 bits: as two halves of its binary digits. */
        *value = 0;
        for (const char *digit = Z3_get_numeral_binary_string(z3, ast); *digit; digit++)
            *value = *value << 1 | (*digit == '1');
        return true;
    }
    return parse_number(Z3_get_numeral_string(z3, ast), value);
}

static bool read_assignment(Z3Layer *self, const SolverQuery *query, Z3_model model, Assignment *values)
{
    uint32_t count;
    const InputId *inputs = support_of_all(self->support, query->conditions, query->count, &count);
    for (uint32_t i = 0; i < count; i++) {
        Z3_ast ast = self->translated.items[expr_input(self->pool, inputs[i]).id], value_ast;
        Bits value;
        if (!Z3_model_eval(self->z3, model, ast, true, &value_ast) ||
            !read_value(self->z3, value_ast, input_get(self->pool->inputs, inputs[i])->sort, &value))
            return false;
        assignment_set(values, inputs[i], value);
    }
    return true;
}

/* Integers beyond 128 bits, and whatever else evaluation does not confirm, are no answer. */
static bool is_satisfying(Z3Layer *self, const SolverQuery *query, const Assignment *values)
{
    evaluator_use(self->evaluator, values);
    for (uint32_t i = 0; i < query->count; i++)
        if (!evaluator_holds(self->evaluator, query->conditions[i]))
            return false;
    return true;
}

static SolverResult take_assignment(Z3Layer *self, const SolverQuery *query, SolverAnswer *answer)
{
    Z3_model model = Z3_solver_get_model(self->z3, self->incremental);
    if (!model)
        return SOLVER_UNKNOWN;
    Z3_model_inc_ref(self->z3, model);
    Assignment values = {0};
    bool good = read_assignment(self, query, model, &values) && is_satisfying(self, query, &values);
    Z3_model_dec_ref(self->z3, model);
    if (good)
        assignment_copy(&answer->assignment, &values);
    assignment_release(&values);
    return good ? SOLVER_SAT : SOLVER_UNKNOWN;
}

/* ---- Cores ------------------------------------------------------------------------------ */

/* The literal that stands for the i-th condition; inputs have the symbols from 0 on. */
static Z3_ast literal(Z3Layer *self, uint32_t i)
{
    return pin(self, Z3_mk_const(self->z3, Z3_mk_int_symbol(self->z3, -1 - (int)i), Z3_mk_bool_sort(self->z3)));
}

/* The conditions whose literals are in z3's core. */
static void read_core(Z3Layer *self, const SolverQuery *query, const Z3_ast *literals, SolverAnswer *answer)
{
    Z3_ast_vector core = Z3_solver_get_unsat_core(self->z3, self->for_cores);
    Z3_ast_vector_inc_ref(self->z3, core);
    for (unsigned i = 0; i < Z3_ast_vector_size(self->z3, core); i++) {
        Z3_ast member = Z3_ast_vector_get(self->z3, core, i);
        for (uint32_t j = 0; j < query->count; j++)
            if (Z3_is_eq_ast(self->z3, member, literals[j]))
                answer->core[answer->core_count++] = query->conditions[j];
    }
    Z3_ast_vector_dec_ref(self->z3, core);
}

/* The query is known to be UNSAT. */
static void find_core(Z3Layer *self, const SolverQuery *query, SolverAnswer *answer)
{
    Z3_ast *literals = mem_alloc(query->count * sizeof *literals);
    Z3_solver_push(self->z3, self->for_cores);
    for (uint32_t i = 0; i < query->count; i++) {
        Z3_ast condition = self->translated.items[query->conditions[i].id];
        literals[i] = literal(self, i);
        Z3_solver_assert(self->z3, self->for_cores, Z3_mk_implies(self->z3, literals[i], condition));
    }
    if (Z3_solver_check_assumptions(self->z3, self->for_cores, query->count, literals) == Z3_L_FALSE)
        read_core(self, query, literals, answer);
    Z3_solver_pop(self->z3, self->for_cores, 1);
    unpin_all(self);
    free(literals);
}

/* ---- The layer -------------------------------------------------------------------------- */

/* Leaves exactly the query's conditions asserted. */
static void assert_query(Z3Layer *self, const SolverQuery *query)
{
    uint32_t common = 0;
    while (common < query->count && common < self->asserted.count &&
           expr_same(query->conditions[common], self->asserted.items[common]))
        common++;
    if (self->asserted.count > common)
        Z3_solver_pop(self->z3, self->incremental, self->asserted.count - common);
    self->asserted.count = common;
    for (uint32_t i = common; i < query->count; i++) {
        Z3_solver_push(self->z3, self->incremental);
        Z3_solver_assert(self->z3, self->incremental, translate(self, query->conditions[i]));
        VEC_PUSH(&self->asserted, query->conditions[i]);
    }
}

static void set_limit(Z3Layer *self, uint32_t timeout_ms)
{
    if (self->timeout_ms == timeout_ms)
        return;
    set_params(self, self->incremental, timeout_ms);
    set_params(self, self->for_cores, timeout_ms);
    self->timeout_ms = timeout_ms;
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    Z3Layer *self = (Z3Layer *)solver;
    follow_pool(self);
    assert_query(self, query);
    set_limit(self, query->timeout_ms);
    Z3_lbool result = Z3_solver_check(self->z3, self->incremental);
    if (result == Z3_L_FALSE && answer->core && query->count > 2)
        find_core(self, query, answer);
    if (result == Z3_L_FALSE)
        return SOLVER_UNSAT;
    return result == Z3_L_TRUE ? take_assignment(self, query, answer) : SOLVER_UNKNOWN;
}

static void destroy(Solver *solver)
{
    Z3Layer *self = (Z3Layer *)solver;
    close_context(self);
    evaluator_destroy(self->evaluator);
    support_destroy(self->support);
    cone_destroy(self->cone);
    VEC_FREE(&self->translated);
    VEC_FREE(&self->pinned);
    VEC_FREE(&self->asserted);
    free(self);
}

Solver *solver_z3_create(ExprPool *pool)
{
    static const SolverOps ops = {check, destroy};
    Z3Layer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->pool = pool;
    self->evaluator = evaluator_create(pool);
    self->support = support_create(pool);
    self->cone = cone_create(pool);
    open_context(self);
    return &self->solver;
}
