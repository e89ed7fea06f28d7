/* symbol.c - see symbol.h
 *
 * Design: a symbol is a cell with the concrete value, the number of its expression and, for
 * a quotient, that of the denominator. Its hash is that of the expressions, since
 * these are the same for all inputs with the same path.
 */
#include "abs/run/symbol.h"

#include "abs/run/inputs.h"
#include "abs/run/unknown.h"
#include "base/map.h"

/* ---- Making ------------------------------------------------------------------------- */

static ExprPool *pool_of(const Machine *machine) { return inputs_pool(machine->inputs); }

static Value make_cell(Machine *machine, Value concrete, ExprId numerator, ExprId denominator)
{
    const ExprPool *pool = pool_of(machine);
    Cell *cell = arena_alloc(machine->arena, sizeof *cell + 2 * sizeof(Value));
    *cell = (Cell){.kind = CELL_SYMBOL, .tag = numerator.id, .hash = map_mix(expr_get(pool, numerator)->hash, 29)};
    cell->args[0] = concrete;
    cell->args[1] = denominator.id;
    if (!expr_is_none(denominator))
        cell->hash = map_mix(cell->hash, expr_get(pool, denominator)->hash);
    return value_from_cell(cell);
}

Value symbol_make(Machine *machine, Value concrete, ExprId expr)
{
    if (expr_is_none(expr) || expr_is_const(pool_of(machine), expr, NULL))
        return concrete;
    return make_cell(machine, concrete, expr, EXPR_NONE);
}

static bool is_quotient(Value v) { return value_is_symbol(v) && value_cell(v)->args[1] != 0; }

ExprId symbol_expr(Machine *machine, Value v)
{
    SignedBits number;
    if (value_is_symbol(v))
        return (ExprId){value_cell(v)->tag};
    if (v == VALUE_TRUE || v == VALUE_FALSE)
        return expr_bool(pool_of(machine), v == VALUE_TRUE);
    return number_to_bits(v, &number) ? expr_int(pool_of(machine), number) : EXPR_NONE;
}

/* ---- Decisions ------------------------------------------------------------------------ */

bool symbol_decide(Machine *machine, Value v)
{
    bool holds = symbol_concrete(v) == VALUE_TRUE;
    if (value_is_symbol(v))
        inputs_decide(machine, (ExprId){value_cell(v)->tag}, holds);
    return holds;
}

/* From now on only inputs for which the expression has its current value are explored. */
static void concretise_expr(Machine *machine, ExprId expr, Value concrete)
{
    ExprId value = symbol_expr(machine, concrete);
    if (!expr_is_none(value))
        inputs_assume(machine, expr_binary(pool_of(machine), EXPR_EQ, expr, value));
}

static Value pin_symbol(Machine *machine, Value v)
{
    const Cell *cell = value_cell(v);
    Value concrete = cell->args[0];
    if (!is_quotient(v)) {
        concretise_expr(machine, (ExprId){cell->tag}, concrete);
        return concrete;
    }
    inputs_concretise(machine, (ExprId){cell->tag});
    inputs_concretise(machine, (ExprId){(uint32_t)cell->args[1]});
    return concrete;
}

Value symbol_concretise(Machine *machine, Value v)
{
    v = unknown_known(machine, v);
    if (!value_is_cell(v))
        return v;
    const Cell *cell = value_cell(v);
    if (cell->kind == CELL_SYMBOL)
        return pin_symbol(machine, v);
    if (cell->kind != CELL_DATA)
        return v;
    Value args[UINT8_MAX];
    bool changed = false;
    for (uint32_t i = 0; i < cell->count && cell->count <= UINT8_MAX; i++) {
        args[i] = symbol_concretise(machine, cell->args[i]);
        changed = changed || args[i] != cell->args[i];
    }
    return changed ? value_make_data(&machine->context, machine->arena, cell->tag, args, cell->count) : v;
}

/* ---- Arithmetic -------------------------------------------------------------------------- */

static bool is_whole(Value v)
{
    return !is_quotient(v) && !value_is_kind(symbol_concrete(v), CELL_RAT) && number_is(symbol_concrete(v));
}

/* Both expressions, or false if there are none. */
static bool get_operands(Machine *machine, Value a, Value b, ExprId *x, ExprId *y)
{
    if (!is_whole(a) || !is_whole(b))
        return false;
    *x = symbol_expr(machine, a);
    *y = symbol_expr(machine, b);
    return !expr_is_none(*x) && !expr_is_none(*y);
}

static bool is_zero(Machine *machine, ExprId expr, Value concrete)
{
    ExprPool *pool = pool_of(machine);
    ExprId zero = expr_binary(pool, EXPR_EQ, expr, expr_int(pool, 0));
    return symbol_decide(machine, symbol_make(machine, value_from_bool(number_sign(concrete) == 0), zero));
}

Value symbol_apply(Machine *machine, NumberOp op, Value a, Value b)
{
    static const ExprOp ops[] = {[NUMBER_ADD] = EXPR_IADD, [NUMBER_SUB] = EXPR_ISUB, [NUMBER_MUL] = EXPR_IMUL,
                                 [NUMBER_MOD] = EXPR_IREM};
    ExprId x, y;
    if (!get_operands(machine, a, b, &x, &y))
        return number_apply(machine->arena, op, symbol_concretise(machine, a), symbol_concretise(machine, b));
    if ((op == NUMBER_DIV || op == NUMBER_MOD) && is_zero(machine, y, symbol_concrete(b)))
        return VALUE_NONE;
    Value concrete = number_apply(machine->arena, op, symbol_concrete(a), symbol_concrete(b));
    if (op == NUMBER_DIV)
        return make_cell(machine, concrete, x, y);
    return symbol_make(machine, concrete, expr_binary(pool_of(machine), ops[op], x, y));
}

Value symbol_negate(Machine *machine, Value a)
{
    if (is_quotient(a))
        return number_negate(machine->arena, symbol_concretise(machine, a));
    ExprId negated = expr_unary(pool_of(machine), EXPR_INEG, symbol_expr(machine, a));
    return symbol_make(machine, number_negate(machine->arena, symbol_concrete(a)), negated);
}

Value symbol_truncate(Machine *machine, Value a)
{
    if (!is_quotient(a))
        return a;
    const Cell *cell = value_cell(a);
    ExprId whole = expr_binary(pool_of(machine), EXPR_IQUO, (ExprId){cell->tag}, (ExprId){(uint32_t)cell->args[1]});
    return symbol_make(machine, number_truncate(machine->arena, cell->args[0]), whole);
}

/* ---- Comparison ----------------------------------------------------------------------------- */

Value symbol_not(Machine *machine, Value a)
{
    return symbol_make(machine, value_from_bool(symbol_concrete(a) != VALUE_TRUE),
                       expr_not(pool_of(machine), symbol_expr(machine, a)));
}

Value symbol_order(Machine *machine, SymbolOrder order, Value a, Value b)
{
    static const ExprOp ops[] = {
        [SYMBOL_LT] = EXPR_ILT, [SYMBOL_LE] = EXPR_ILE, [SYMBOL_GT] = EXPR_IGT, [SYMBOL_GE] = EXPR_IGE};
    ExprId x, y, expr = EXPR_NONE;
    if (get_operands(machine, a, b, &x, &y)) {
        expr = expr_binary(pool_of(machine), ops[order], x, y);
        a = symbol_concrete(a);
        b = symbol_concrete(b);
    } else {
        a = symbol_concretise(machine, a);
        b = symbol_concretise(machine, b);
    }
    int sign = value_compare(&machine->context, a, b);
    bool holds[] = {[SYMBOL_LT] = sign < 0, [SYMBOL_LE] = sign <= 0, [SYMBOL_GT] = sign > 0, [SYMBOL_GE] = sign >= 0};
    return symbol_make(machine, value_from_bool(holds[order]), expr);
}

/* Adds the condition that the values are equal to `expr`; false if they never are. */
static bool add_equations(Machine *machine, Value a, Value b, ExprId *expr)
{
    ExprPool *pool = pool_of(machine);
    if (a == b)
        return true;
    if (unknown_is_reference(a) || unknown_is_reference(b)) {
        *expr = expr_binary(pool, EXPR_AND, *expr,
                            expr_binary(pool, EXPR_EQ, unknown_identity(machine, a), unknown_identity(machine, b)));
        return true;
    }
    a = unknown_known(machine, a);
    b = unknown_known(machine, b);
    if (value_is_symbol(a) || value_is_symbol(b)) {
        if (is_quotient(a) || is_quotient(b))
            return value_equal(symbol_concretise(machine, a), symbol_concretise(machine, b));
        ExprId x = symbol_expr(machine, a), y = symbol_expr(machine, b);
        if (expr_is_none(x) || expr_is_none(y))
            return value_equal(symbol_concretise(machine, a), symbol_concretise(machine, b));
        *expr = expr_binary(pool, EXPR_AND, *expr, expr_binary(pool, EXPR_EQ, x, y));
        return true;
    }
    if (!value_is_kind(a, CELL_DATA) || !value_is_kind(b, CELL_DATA))
        return value_equal(a, b);
    const Cell *left = value_cell(a), *right = value_cell(b);
    if (left->tag != right->tag || left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (!add_equations(machine, left->args[i], right->args[i], expr))
            return false;
    return true;
}

Value symbol_equal(Machine *machine, Value a, Value b)
{
    ExprId expr = expr_bool(pool_of(machine), true);
    if (!add_equations(machine, a, b, &expr))
        return VALUE_FALSE;
    Bits now = 0;
    if (!session_evaluate(inputs_session(machine->inputs), expr, &now))
        return value_from_bool(value_equal(symbol_concretise(machine, a), symbol_concretise(machine, b)));
    return symbol_make(machine, value_from_bool(now != 0), expr);
}
