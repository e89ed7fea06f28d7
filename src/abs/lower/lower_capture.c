/* lower_capture.c - what an expression captures of the surrounding code
 *
 * Anonymous functions and guards become code of their own; the variables and fields
 * of the surrounding method that they mention are passed to them.
 */
#include "abs/lower/lower_internal.h"

typedef struct CaptureWalk {
    CodeBuilder *builder;         /* whose captures are collected             */
    VEC(const Variable *) own;    /* declared inside the expression           */
} CaptureWalk;

static void walk_expr(CaptureWalk *walk, const Expr *expr);

static void note(CaptureWalk *walk, const Variable *variable, const Field *field)
{
    CodeBuilder *b = walk->builder;
    for (uint32_t i = 0; variable && i < walk->own.count; i++)
        if (walk->own.items[i] == variable)
            return;
    for (uint32_t i = 0; i < b->captures.count; i++)
        if (b->captures.items[i].variable == variable && b->captures.items[i].field == field)
            return;
    VEC_PUSH(&b->captures, ((Capture){variable, field, lower_temp(b)}));
}

static void declare(CaptureWalk *walk, const Variable *variable)
{
    if (variable)
        VEC_PUSH(&walk->own, variable);
}

static void walk_pattern(CaptureWalk *walk, const Pattern *pattern)
{
    declare(walk, pattern->variable);
    if (pattern->known)
        walk_expr(walk, pattern->known);
    for (uint32_t i = 0; i < pattern->args.count; i++)
        walk_pattern(walk, pattern->args.items[i]);
}

static void walk_list(CaptureWalk *walk, const ExprList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        walk_expr(walk, list->items[i]);
}

/* A recursive call of a second-order function passes its functions on. */
static void note_functions(CaptureWalk *walk, const Expr *expr)
{
    const FunctionDecl *function = (const FunctionDecl *)expr->decl;
    for (uint32_t i = 0; i < function->function_params.count; i++)
        note(walk, function->function_variables[i], NULL);
}

static void walk_expr(CaptureWalk *walk, const Expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == EXPR_CALL && expr->decl && !expr->functions.count)
        note_functions(walk, expr);
    for (uint32_t i = 0; i < expr->params.count; i++)
        declare(walk, expr->params.items[i].variable);
    walk_expr(walk, expr->left);
    walk_list(walk, &expr->args);
    walk_list(walk, &expr->functions);
    for (uint32_t i = 0; i < expr->branches.count; i++) {
        walk_pattern(walk, expr->branches.items[i].pattern);
        walk_expr(walk, expr->branches.items[i].expr);
    }
    walk_expr(walk, expr->right);
    walk_expr(walk, expr->third);
    if (expr->kind == EXPR_THIS)
        note(walk, NULL, NULL);
    else if (expr->variable)
        note(walk, expr->variable, NULL);
    else if (expr->field)
        note(walk, NULL, expr->field);
}

void lower_find_captures(CodeBuilder *b, const Expr *expr)
{
    CaptureWalk walk = {.builder = b};
    for (uint32_t i = 0; expr->kind == EXPR_LAMBDA && i < expr->params.count; i++)
        declare(&walk, expr->params.items[i].variable);
    walk_expr(&walk, expr);
    VEC_FREE(&walk.own);
}
