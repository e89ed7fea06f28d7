/* lower_expr.c - pure expressions and patterns */
#include "abs/lower/lower_internal.h"

#include <stdlib.h>

#include "abs/value/number.h"

/* ---- Variables, fields, this: own or captured ---------------------------------- */

static uint16_t find_capture(const CodeBuilder *b, const Variable *variable, const Field *field)
{
    uint32_t i = 0;
    while (b->captures.items[i].variable != variable || b->captures.items[i].field != field)
        i++;
    return b->captures.items[i].slot;
}

uint16_t lower_variable(CodeBuilder *b, const Variable *variable)
{
    return variable->owner == b->code ? variable->slot : find_capture(b, variable, NULL);
}

static bool is_pure(const CodeBuilder *b)
{
    return b->code->kind == CODE_LAMBDA || b->code->kind == CODE_GUARD;
}

uint16_t lower_field(CodeBuilder *b, const Field *field)
{
    if (is_pure(b))
        return find_capture(b, NULL, field);
    uint16_t target = lower_temp(b);
    lower_emit(b, INSTR_LOAD, target, (uint16_t)field->index, 0);
    return target;
}

uint16_t lower_this(CodeBuilder *b)
{
    if (is_pure(b))
        return find_capture(b, NULL, NULL);
    uint16_t target = lower_temp(b);
    lower_emit(b, INSTR_THIS, target, 0, 0);
    return target;
}

/* ---- Operators ------------------------------------------------------------------------ */

static void lower_logical(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    JumpLabel end = {0};
    lower_expr_to(b, expr->left, target);
    lower_jump(b, expr->op == OP_AND ? INSTR_JUMP_UNLESS : INSTR_JUMP_IF, target, &end);
    lower_expr_to(b, expr->right, target);
    lower_place(b, &end);
}

static void lower_binary(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    static const InstrOp ops[] = {
        [OP_EQ] = INSTR_EQ,   [OP_NE] = INSTR_NE,   [OP_LT] = INSTR_LT,   [OP_LE] = INSTR_LE,
        [OP_GT] = INSTR_GT,   [OP_GE] = INSTR_GE,   [OP_ADD] = INSTR_ADD, [OP_SUB] = INSTR_SUB,
        [OP_MUL] = INSTR_MUL, [OP_DIV] = INSTR_DIV, [OP_MOD] = INSTR_MOD};
    bool compares = expr->op != OP_ADD && expr->op != OP_SUB && expr->op != OP_MUL && expr->op != OP_DIV &&
                    expr->op != OP_MOD;
    b->comparing += compares;
    uint16_t left = lower_expr(b, expr->left);
    uint16_t right = lower_expr(b, expr->right);
    b->comparing -= compares;
    b->pos = expr->pos;
    lower_emit(b, ops[expr->op], target, left, right);
}

/* Iterative: a long chain of one operator, such as a sum, is as deep as it is long. */
static void lower_operator(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    if (expr->kind == EXPR_UNARY) {
        uint16_t operand = lower_expr(b, expr->left);
        b->pos = expr->pos;
        lower_emit(b, expr->op == OP_NOT ? INSTR_NOT : INSTR_NEGATE, target, operand, 0);
    } else if (expr->op == OP_AND || expr->op == OP_OR) {
        lower_logical(b, expr, target);
    } else {
        lower_binary(b, expr, target);
    }
}

/* ---- Literals ---------------------------------------------------------------------------- */

/* Texts that inputs may be. */
static void lower_compared_text(CodeBuilder *b, Value text)
{
    Image *image = b->lowering->image;
    for (uint32_t i = 0; i < image->texts.count; i++)
        if (value_equal(image->texts.items[i], text))
            return;
    VEC_PUSH(&image->texts, text);
}

static void lower_literal(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    Arena *arena = &b->lowering->image->arena;
    Value value = VALUE_NULL;
    if (expr->kind == EXPR_INT)
        value = number_parse(arena, expr->name.text);
    else if (expr->kind == EXPR_FLOAT)
        value = value_make_float(arena, strtod(expr->name.text, NULL));
    else if (expr->kind == EXPR_STRING)
        value = value_make_string(arena, expr->string, expr->string_size);
    if (expr->kind == EXPR_STRING && b->comparing)
        lower_compared_text(b, value);
    lower_const(b, target, value);
}

static void lower_template(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    uint16_t part = lower_temp(b);
    for (uint32_t i = 0; i < expr->args.count; i++) {
        const Expr *arg = expr->args.items[i];
        uint16_t place = i ? part : target;
        lower_expr_to(b, arg, place);
        if (arg->kind != EXPR_STRING) {
            lower_emit(b, INSTR_BUILTIN, place, place, 1);
            lower_last(b)->x.builtin = builtin_find("toString");
        }
        if (i)
            lower_emit(b, INSTR_ADD, target, target, part);
    }
}

/* ---- Binding and branching ------------------------------------------------------------------ */

static void lower_bindings(CodeBuilder *b, const Expr *expr)
{
    for (uint32_t i = 0; i < expr->params.count; i++) {
        uint16_t slot = lower_temp(b);
        lower_expr_to(b, expr->args.items[i], slot);
        lower_declare(b, expr->params.items[i].variable, slot);
    }
}

static void lower_value_or_return(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    if (tail)
        lower_tail(b, expr);
    else
        lower_expr_to(b, expr, target);
}

static void lower_if(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    JumpLabel other = {0}, end = {0};
    uint16_t mark = b->next;
    lower_jump(b, INSTR_JUMP_UNLESS, lower_expr(b, expr->left), &other);
    lower_last(b)->c = lower_decision(b, expr->pos, "if");
    b->next = mark;
    lower_value_or_return(b, expr->right, target, tail);
    if (!tail)
        lower_jump(b, INSTR_JUMP, 0, &end);
    lower_place(b, &other);
    lower_value_or_return(b, expr->third, target, tail);
    lower_place(b, &end);
}

static bool matches_all(const Pattern *pattern)
{
    if (pattern->kind != PATTERN_CONSTRUCTOR)
        return pattern->kind == PATTERN_WILDCARD || (pattern->kind == PATTERN_VARIABLE && !pattern->known);
    bool all =
        pattern->decl && ((const ConstructorDecl *)pattern->decl)->data->constructors.count == 1; /* Pair(a, b) */
    for (uint32_t i = 0; all && i < pattern->args.count; i++)
        all = matches_all(pattern->args.items[i]);
    return all;
}

static bool matches_constructor(const Pattern *pattern, const ConstructorDecl *constructor)
{
    bool all = pattern->kind == PATTERN_CONSTRUCTOR && pattern->decl == &constructor->decl;
    for (uint32_t i = 0; all && i < pattern->args.count; i++)
        all = matches_all(pattern->args.items[i]);
    return all;
}

/* Is there a branch for every value? A sufficient condition. */
static bool is_exhaustive(const Branches *branches)
{
    const DataDecl *data = NULL;
    for (uint32_t i = 0; i < branches->count; i++) {
        const Pattern *pattern = branches->items[i].pattern;
        if (matches_all(pattern))
            return true;
        if (pattern->kind == PATTERN_CONSTRUCTOR && pattern->decl)
            data = ((const ConstructorDecl *)pattern->decl)->data;
    }
    for (uint32_t c = 0; data && c < data->constructors.count; c++) {
        bool found = false;
        for (uint32_t i = 0; i < branches->count && !found; i++)
            found = matches_constructor(branches->items[i].pattern, data->constructors.items[c]);
        if (!found)
            return false;
    }
    return data != NULL;
}

uint16_t lower_branch_decision(CodeBuilder *b, const Branches *branches, uint32_t number, const char *kind)
{
    const Pattern *pattern = branches->items[number].pattern;
    bool always = matches_all(pattern) || (number + 1 == branches->count && is_exhaustive(branches));
    return always ? 0 : lower_decision(b, pattern->pos, kind);
}

static void lower_case(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    JumpLabel end = {0};
    uint16_t value = lower_expr(b, expr->left), mark = b->next;
    for (uint32_t i = 0; i < expr->branches.count; i++) {
        const Branch *branch = &expr->branches.items[i];
        JumpLabel fail = {0};
        uint16_t decision = lower_branch_decision(b, &expr->branches, i, "case");
        lower_pattern(b, branch->pattern, value, &fail);
        lower_cover(b, decision, true);
        lower_value_or_return(b, branch->expr, target, tail);
        if (!tail)
            lower_jump(b, INSTR_JUMP, 0, &end);
        lower_place(b, &fail);
        lower_cover(b, decision, false);
        b->next = mark;
    }
    b->pos = expr->pos;
    lower_emit(b, INSTR_NO_MATCH, is_exhaustive(&expr->branches), 0, 0);
    lower_place(b, &end);
}

/* ---- Patterns ----------------------------------------------------------------------------------- */

static void lower_equality(CodeBuilder *b, uint16_t value, uint16_t other, JumpLabel *fail)
{
    uint16_t test = lower_temp(b);
    lower_emit(b, INSTR_EQ, test, value, other);
    lower_jump(b, INSTR_JUMP_UNLESS, test, fail);
}

static void lower_literal_pattern(CodeBuilder *b, const Pattern *pattern, uint16_t value, JumpLabel *fail)
{
    Arena *arena = &b->lowering->image->arena;
    uint16_t literal = lower_temp(b);
    Value known = pattern->kind == PATTERN_INT ? number_parse(arena, pattern->name.text)
                                               : value_make_string(arena, pattern->string, pattern->string_size);
    if (pattern->kind == PATTERN_STRING)
        lower_compared_text(b, known);
    lower_const(b, literal, known);
    lower_equality(b, value, literal, fail);
}

static void lower_constructor_pattern(CodeBuilder *b, const Pattern *pattern, uint16_t value, JumpLabel *fail)
{
    const ConstructorDecl *constructor = (const ConstructorDecl *)pattern->decl;
    VEC_PUSH(&fail->uses, lower_emit(b, INSTR_UNLESS_DATA, (uint16_t)constructor->number, value, 0));
    for (uint32_t i = 0; i < pattern->args.count; i++) {
        const Pattern *arg = pattern->args.items[i];
        if (arg->kind == PATTERN_WILDCARD)
            continue;
        uint16_t part = lower_temp(b);
        lower_emit(b, INSTR_ARGUMENT, part, value, (uint16_t)i);
        if (arg->variable)
            lower_declare(b, arg->variable, part);
        else
            lower_pattern(b, arg, part, fail);
    }
}

void lower_pattern(CodeBuilder *b, const Pattern *pattern, uint16_t value, JumpLabel *fail)
{
    b->pos = pattern->pos;
    switch ((PatternKind)pattern->kind) {
    case PATTERN_ERROR:
    case PATTERN_WILDCARD: break;
    case PATTERN_VARIABLE:
        if (pattern->known) {
            lower_equality(b, value, lower_expr(b, pattern->known), fail);
        } else {
            uint16_t slot = lower_temp(b);
            lower_emit(b, INSTR_MOVE, slot, value, 0);
            lower_declare(b, pattern->variable, slot);
        }
        break;
    case PATTERN_INT:
    case PATTERN_STRING: lower_literal_pattern(b, pattern, value, fail); break;
    case PATTERN_CONSTRUCTOR: lower_constructor_pattern(b, pattern, value, fail); break;
    }
}

/* ---- All of them ------------------------------------------------------------------------------------ */

static void lower_type_test(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    uint16_t object = lower_expr(b, expr->left);
    lower_emit(b, expr->kind == EXPR_IMPLEMENTS ? INSTR_IMPLEMENTS : INSTR_CAST, target, object, 0);
    lower_last(b)->x.number = ((const InterfaceDecl *)expr->decl)->number;
}

static void lower_to(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    switch ((ExprKind)expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_NULL: lower_literal(b, expr, target); break;
    case EXPR_TEMPLATE: lower_template(b, expr, target); break;
    case EXPR_DESTINY: lower_emit(b, INSTR_DESTINY, target, 0, 0); break;
    case EXPR_UNARY:
    case EXPR_BINARY: lower_operator(b, expr, target); break;
    case EXPR_LET:
        lower_bindings(b, expr);
        lower_expr_to(b, expr->left, target);
        break;
    case EXPR_IF: lower_if(b, expr, target, false); break;
    case EXPR_CASE: lower_case(b, expr, target, false); break;
    case EXPR_CALL:
    case EXPR_NARY:
    case EXPR_CONSTRUCT: lower_call(b, expr, target, false); break;
    case EXPR_IMPLEMENTS:
    case EXPR_AS: lower_type_test(b, expr, target); break;
    default: lower_effect(b, expr, target, true); break;
    }
}

uint16_t lower_expr(CodeBuilder *b, const Expr *expr)
{
    if (expr->kind == EXPR_THIS)
        return lower_this(b);
    if (expr->variable && expr->kind == EXPR_VARIABLE)
        return lower_variable(b, expr->variable);
    if (expr->field && (expr->kind == EXPR_VARIABLE || expr->kind == EXPR_FIELD))
        return lower_field(b, expr->field);
    uint16_t target = lower_temp(b);
    lower_expr_to(b, expr, target);
    return target;
}

void lower_expr_to(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    uint16_t mark = b->next;
    b->pos = expr->pos;
    if (expr->kind == EXPR_THIS || expr->kind == EXPR_VARIABLE || expr->kind == EXPR_FIELD) {
        if (expr->field && !is_pure(b))
            lower_emit(b, INSTR_LOAD, target, (uint16_t)expr->field->index, 0);
        else
            lower_emit(b, INSTR_MOVE, target, lower_expr(b, expr), 0);
    } else {
        lower_to(b, expr, target);
    }
    b->next = mark;
}

void lower_tail(CodeBuilder *b, const Expr *expr)
{
    uint16_t mark = b->next;
    b->pos = expr->pos;
    switch ((ExprKind)expr->kind) {
    case EXPR_LET:
        lower_bindings(b, expr);
        lower_tail(b, expr->left);
        break;
    case EXPR_IF: lower_if(b, expr, 0, true); break;
    case EXPR_CASE: lower_case(b, expr, 0, true); break;
    case EXPR_CALL: lower_call(b, expr, 0, true); break;
    default: lower_emit(b, INSTR_RETURN, 0, lower_expr(b, expr), 0); break;
    }
    b->next = mark;
}

void lower_args(CodeBuilder *b, const ExprList *args, uint16_t base)
{
    for (uint32_t i = 0; i < args->count; i++)
        lower_expr_to(b, args->items[i], (uint16_t)(base + i));
}
