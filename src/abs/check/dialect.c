/* dialect.c - see dialect.h */
#include "abs/check/dialect.h"

static const unsigned AUTO[] = {0, OLD_PATTERNS, OLD_PATTERNS | OLD_DIVISION, OLD_PATTERNS | OLD_LOOKUP,
                                OLD_PATTERNS | OLD_DIVISION | OLD_LOOKUP};
static const unsigned CURRENT[] = {0};
static const unsigned OLD[] = {OLD_PATTERNS | OLD_DIVISION | OLD_LOOKUP, OLD_PATTERNS | OLD_DIVISION};

unsigned dialect_readings(Dialect dialect, const unsigned **readings)
{
    switch (dialect) {
    case DIALECT_CURRENT: *readings = CURRENT; return sizeof CURRENT / sizeof *CURRENT;
    case DIALECT_OLD: *readings = OLD; return sizeof OLD / sizeof *OLD;
    default: *readings = AUTO; return sizeof AUTO / sizeof *AUTO;
    }
}

bool dialect_fits(const Model *model)
{
    for (uint32_t i = 0; i < model->diags.items.count; i++)
        if (model->diags.items.items[i].kind == DIAG_ERROR)
            return false;
    return true;
}

static const char *explain(OldForm form)
{
    switch (form) {
    case OLD_DIVISION: return "the quotient of two integers is an integer; now truncate(a / b)";
    case OLD_LOOKUP: return "lookup answers the value itself; now lookupUnsafe";
    default: return "a pattern for a value of any type; now a comparison, or a concrete type";
    }
}

bool dialect_allows(Checker *c, OldForm form, SrcPos pos, uint32_t length)
{
    if (!(c->model->old_forms & form) || source_place(&c->model->sources, pos).file->library)
        return false;
    if (!(c->model->old_forms_seen & form))
        check_warning(c, pos, length, "read as in older releases (--dialect=1.4): %s", explain(form));
    c->model->old_forms_seen |= form;
    return true;
}

/* ---- Forms ------------------------------------------------------------------------------ */

Type *dialect_truncate(Checker *c, Expr *quotient)
{
    Arena *arena = &c->model->arena;
    Expr *division = arena_alloc(arena, sizeof *division);
    *division = *quotient;
    division->type = c->types.rational;
    *quotient = (Expr){.kind = EXPR_CALL, .depth = (uint16_t)(division->depth + 1), .pos = division->pos,
                       .length = division->length, .type = c->types.integer};
    quotient->decl = scope_get_library(c->model, SPACE_FUNCTION, "truncate");
    quotient->name = quotient->decl->name;
    quotient->args.items = arena_alloc(arena, sizeof *quotient->args.items);
    quotient->args.items[0] = division;
    quotient->args.count = 1;
    check_function_header(c, (FunctionDecl *)quotient->decl);
    return c->types.integer;
}

FunctionDecl *dialect_function(Checker *c, const Expr *call, FunctionDecl *function)
{
    Decl *lookup = scope_get_library(c->model, SPACE_FUNCTION, "lookup");
    if (!function || &function->decl != lookup || !dialect_allows(c, OLD_LOOKUP, call->pos, call->length))
        return function;
    return (FunctionDecl *)scope_get_library(c->model, SPACE_FUNCTION, "lookupUnsafe");
}

/* C becomes the value to compare with. */
static void make_known(Checker *c, Pattern *pattern, ConstructorDecl *constructor)
{
    Expr *value = arena_zero(&c->model->arena, sizeof *value);
    check_constructor_header(c, constructor);
    value->kind = EXPR_CONSTRUCT;
    value->pos = pattern->pos;
    value->length = pattern->length;
    value->name = pattern->name;
    value->decl = &constructor->decl;
    value->type =
        type_make_data(&c->types, constructor->data, check_make_vars(c, constructor->data->type_params.count));
    pattern->kind = PATTERN_VARIABLE;
    pattern->known = value;
}

bool dialect_matches(Checker *c, Pattern *pattern, const Type *type)
{
    if (type->kind != TYPE_PARAM || pattern->args.count ||
        !dialect_allows(c, OLD_PATTERNS, pattern->pos, pattern->length))
        return false;
    if (pattern->kind == PATTERN_CONSTRUCTOR)
        make_known(c, pattern, (ConstructorDecl *)pattern->decl);
    return true;
}
