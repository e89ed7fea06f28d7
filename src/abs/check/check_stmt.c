/* check_stmt.c - statements */
#include "abs/check/check_internal.h"
#include "abs/check/input_type.h"

static void check_stmt(Checker *c, Stmt *stmt);

/* ---- Helpers ------------------------------------------------------------------ */

static const char *const PLACE_TEXTS[] = {"a function",    "a method",        "the main block",
                                          "an init block", "a recover block", "a finally block"};

static void check_may_wait(Checker *c, const Stmt *stmt, const char *what)
{
    if (c->place >= PLACE_INIT)
        check_error(c, stmt->pos, stmt->length, "%s must not contain %s", PLACE_TEXTS[c->place], what);
    else if (c->atomic)
        check_error(c, stmt->pos, stmt->length, "an [Atomic] method must not contain %s", what);
}

static void check_sub_stmt(Checker *c, Stmt *stmt)
{
    uint32_t mark = check_open_scope(c);
    check_stmt(c, stmt);
    check_close_scope(c, mark);
}

void check_branches(Checker *c, Branches *branches, Type *type)
{
    for (uint32_t i = 0; i < branches->count; i++) {
        uint32_t mark = check_open_scope(c);
        check_pattern(c, branches->items[i].pattern, type);
        check_stmt(c, branches->items[i].stmt);
        check_close_scope(c, mark);
    }
}

/* ---- Variables ------------------------------------------------------------------ */

static void check_declare_stmt(Checker *c, Stmt *stmt)
{
    Type *type = check_type(c, stmt->type_ref);
    if (stmt->expr)
        check_fits(c, check_effect(c, stmt->expr), type, stmt->expr->pos, stmt->expr->length,
                   "as value of the variable");
    else if (!type_is_reference(type) && type->kind != TYPE_ERROR)
        check_error(c, stmt->pos, stmt->length, "variable '%s' needs a value: only objects and futures can be null",
                    stmt->name.text ? stmt->name.text : "");
    stmt->variable = check_declare(c, &stmt->name, type);
    stmt->input =
        annotation_find(&stmt->annotations, "Input") || annotation_find(&stmt->type_ref->annotations, "Input");
    if (stmt->input && type->kind != TYPE_ERROR && !type_can_be_input(&c->types, type))
        check_error(c, stmt->pos, stmt->length, "an input must be a number, a text, or data made of these");
    stmt->variable->final = annotation_find(&stmt->annotations, "Final") ||
                            annotation_find(&stmt->type_ref->annotations, "Final");
}

static void check_target(Checker *c, const Expr *target)
{
    if ((target->variable && target->variable->final) || (target->field && target->field->final))
        check_error(c, target->pos, target->length, "'%s' is annotated with [Final]; it cannot be assigned",
                    target->name.text);
    if (target->field && c->readonly)
        check_error(c, target->pos, target->length, "a [Readonly] method must not assign fields");
}

static void check_assign(Checker *c, Stmt *stmt)
{
    Type *type = check_expr(c, stmt->target);
    check_target(c, stmt->target);
    check_fits(c, check_effect(c, stmt->expr), type, stmt->expr->pos, stmt->expr->length, "as value of the variable");
}

/* ---- Control ---------------------------------------------------------------------- */

static void check_foreach(Checker *c, Stmt *stmt)
{
    Type *element = type_make_var(&c->types);
    Type **args = arena_alloc(&c->model->arena, sizeof *args);
    args[0] = element;
    check_fits(c, check_expr(c, stmt->expr), type_make_data(&c->types, c->types.list, args), stmt->expr->pos,
               stmt->expr->length, "after 'in'");
    uint32_t mark = check_open_scope(c);
    stmt->variable = check_declare(c, &stmt->name, element);
    if (stmt->index_name.text)
        stmt->index = check_declare(c, &stmt->index_name, c->types.integer);
    check_sub_stmt(c, stmt->body);
    check_close_scope(c, mark);
}

static void check_try(Checker *c, Stmt *stmt)
{
    check_sub_stmt(c, stmt->body);
    check_branches(c, &stmt->branches, c->types.exception);
    if (stmt->other) {
        CodePlace place = c->place;
        c->place = PLACE_FINALLY;
        check_sub_stmt(c, stmt->other);
        c->place = place;
    }
}

static void check_return(Checker *c, Stmt *stmt)
{
    Type *type = check_effect(c, stmt->expr);
    if (c->place != PLACE_METHOD || !c->result) {
        check_error(c, stmt->pos, stmt->length, "%s must not contain 'return'", PLACE_TEXTS[c->place]);
        return;
    }
    check_fits(c, type, c->result, stmt->expr->pos, stmt->expr->length, "as result of the method");
}

static void check_exception(Checker *c, Stmt *stmt, const char *what)
{
    check_fits(c, check_expr(c, stmt->expr), c->types.exception, stmt->expr->pos, stmt->expr->length, what);
    if (stmt->kind == STMT_THROW && c->place >= PLACE_INIT)
        check_error(c, stmt->pos, stmt->length, "%s must not contain 'throw'", PLACE_TEXTS[c->place]);
}

/* ---- Waiting ------------------------------------------------------------------------ */

static void check_future(Checker *c, Expr *expr)
{
    Type *type = type_resolve(check_expr(c, expr));
    if (type_is_data(type, c->types.destiny->decl))
        return;
    check_fits(c, type, type_make_future(&c->types, type_make_var(&c->types)), expr->pos, expr->length, "before '?'");
}

static void check_guard(Checker *c, Guard *guard)
{
    switch ((GuardKind)guard->kind) {
    case GUARD_BOOL: check_condition(c, guard->expr, "as condition of 'await'"); break;
    case GUARD_FUTURE: check_future(c, guard->expr); break;
    case GUARD_DURATION: check_delay(c, &guard->delay); break;
    case GUARD_AND:
        check_guard(c, guard->left);
        check_guard(c, guard->right);
        break;
    }
}

static void check_duration(Checker *c, Stmt *stmt)
{
    check_may_wait(c, stmt, "'duration'");
    check_delay(c, &stmt->delay);
}

static void check_await(Checker *c, Stmt *stmt)
{
    check_may_wait(c, stmt, "'await'");
    check_guard(c, stmt->guard);
}

/* ---- All of them ------------------------------------------------------------------------ */

static void check_stmt(Checker *c, Stmt *stmt)
{
    check_annotations(c, stmt);
    switch ((StmtKind)stmt->kind) {
    case STMT_ERROR:
    case STMT_SKIP: break;
    case STMT_DURATION: check_duration(c, stmt); break;
    case STMT_DECLARE: check_declare_stmt(c, stmt); break;
    case STMT_ASSIGN: check_assign(c, stmt); break;
    case STMT_EXPR: check_effect(c, stmt->expr); break;
    case STMT_MOVECOGTO: check_move(c, stmt->expr); break;
    case STMT_BLOCK: check_block(c, stmt); break;
    case STMT_RETURN: check_return(c, stmt); break;
    case STMT_ASSERT:
        check_fits(c, check_effect(c, stmt->expr), c->types.boolean, stmt->expr->pos, stmt->expr->length,
                   "after 'assert'");
        break;
    case STMT_IF:
        check_condition(c, stmt->expr, "as condition");
        check_sub_stmt(c, stmt->body);
        if (stmt->other)
            check_sub_stmt(c, stmt->other);
        break;
    case STMT_WHILE:
        check_condition(c, stmt->expr, "as condition");
        check_sub_stmt(c, stmt->body);
        break;
    case STMT_FOREACH: check_foreach(c, stmt); break;
    case STMT_SWITCH: check_branches(c, &stmt->branches, check_expr(c, stmt->expr)); break;
    case STMT_TRY: check_try(c, stmt); break;
    case STMT_AWAIT: check_await(c, stmt); break;
    case STMT_SUSPEND: check_may_wait(c, stmt, "'suspend'"); break;
    case STMT_THROW: check_exception(c, stmt, "after 'throw'"); break;
    case STMT_DIE: check_exception(c, stmt, "after 'die'"); break;
    }
}

void check_block(Checker *c, Stmt *block)
{
    uint32_t mark = check_open_scope(c);
    for (uint32_t i = 0; i < block->stmts.count; i++)
        check_stmt(c, block->stmts.items[i]);
    check_close_scope(c, mark);
}

/* ---- Method bodies: one exit ------------------------------------------------------------ */

/* Reports each `return` in the statement that is not its last one. */
static void find_returns(Checker *c, const Stmt *stmt, bool last)
{
    if (!stmt)
        return;
    if (stmt->kind == STMT_RETURN && !last)
        check_error(c, stmt->pos, stmt->length, "'return' must be the last statement of the method");
    for (uint32_t i = 0; i < stmt->stmts.count; i++)
        find_returns(c, stmt->stmts.items[i], last && i + 1 == stmt->stmts.count);
    for (uint32_t i = 0; i < stmt->branches.count; i++)
        find_returns(c, stmt->branches.items[i].stmt, false);
    find_returns(c, stmt->body, false);
    find_returns(c, stmt->other, false);
}

static bool ends_with_return(const Stmt *stmt)
{
    while (stmt->kind == STMT_BLOCK && stmt->stmts.count)
        stmt = stmt->stmts.items[stmt->stmts.count - 1];
    return stmt->kind == STMT_RETURN || stmt->kind == STMT_THROW || stmt->kind == STMT_ERROR;
}

void check_body(Checker *c, Stmt *block, SrcPos pos, uint32_t length)
{
    check_block(c, block);
    find_returns(c, block, true);
    const Type *result = type_resolve(c->result);
    if (!ends_with_return(block) && result->kind != TYPE_ERROR && !type_equal(result, c->types.unit) &&
        !c->model->syntax_errors)
        check_error(c, pos, length, "the method must end with 'return'");
}
