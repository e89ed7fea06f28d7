/* check_effect.c - creating objects, calling methods, reading futures */
#include "abs/check/check_internal.h"

#include <string.h>

static const char *const PLACE_TEXTS[] = {"a function",    "a method",        "the main block",
                                          "an init block", "a recover block", "a finally block"};

/* `types` is NULL if nothing is known about the parameters. */
static void check_args_against(Checker *c, const Expr *expr, Type **types, uint32_t count, const char *what)
{
    if (types && expr->args.count != count)
        check_error(c, expr->pos, expr->length, "%s '%s' takes %u argument%s, found %u", what,
                    expr->name.text ? expr->name.text : "original", count, count == 1 ? "" : "s", expr->args.count);
    for (uint32_t i = 0; i < expr->args.count; i++) {
        Expr *arg = expr->args.items[i];
        Type *type = check_expr(c, arg);
        if (types && i < count)
            check_fits(c, type, types[i], arg->pos, arg->length, "as argument");
    }
}

/* ---- new -------------------------------------------------------------------- */

static void check_class_kind(Checker *c, const Expr *expr, const ClassDecl *class)
{
    bool local = expr->place == NEW_LOCAL || (expr->place == NEW_PLAIN && c->module->legacy_new);
    if (local && annotation_find(&class->decl.annotations, "COG"))
        check_error(c, expr->pos, expr->length, "class '%s' is annotated with [COG]; it cannot be created with 'local'",
                    class->decl.name.text);
    if (!local && annotation_find(&class->decl.annotations, "Plain"))
        check_error(c, expr->pos, expr->length, "class '%s' is annotated with [Plain]; it must be created with 'local'",
                    class->decl.name.text);
}

static Type *check_new(Checker *c, Expr *expr)
{
    ClassDecl *class = (ClassDecl *)check_find(c, SPACE_CLASS, &expr->name, "class");
    expr->decl = class ? &class->decl : NULL;
    if (!class) {
        check_args_against(c, expr, NULL, 0, "class");
        return c->types.error;
    }
    Type **types = arena_alloc(&c->model->arena, class->param_count * sizeof *types);
    for (uint32_t i = 0; i < class->param_count; i++)
        types[i] = class->fields.items[i]->type ? class->fields.items[i]->type : c->types.error;
    check_args_against(c, expr, types, class->param_count, "class");
    check_class_kind(c, expr, class);
    return class->this_type;
}

/* ---- Calls ------------------------------------------------------------------- */

static MethodSig *find_method(Expr *expr, Type *receiver)
{
    MethodSig *sig = NULL;
    if (receiver->kind == TYPE_CLASS) {
        expr->method = check_find_class_method((ClassDecl *)receiver->decl, expr->name.text);
        sig = expr->method ? &expr->method->sig : NULL;
        if (expr->left->kind != EXPR_THIS)
            expr->method = NULL;
    } else if (receiver->kind == TYPE_INTERFACE) {
        sig = check_find_interface_method((InterfaceDecl *)receiver->decl, expr->name.text);
    }
    return sig;
}

static void report_no_method(Checker *c, const Expr *expr, const Type *receiver)
{
    if (receiver->kind == TYPE_ERROR || !expr->name.text)
        return;
    Text type = {0};
    type_print(receiver, false, &type);
    if (receiver->kind != TYPE_CLASS && receiver->kind != TYPE_INTERFACE)
        check_error(c, expr->left->pos, expr->left->length, "expected an object, found %s", text_borrow(&type));
    else
        check_error(c, expr->pos, expr->length, "%s has no method '%s'", text_borrow(&type), expr->name.text);
    text_release(&type);
}

/* Code that must not wait may call only [Atomic] methods; likewise for [Readonly]. */
static void check_promises(Checker *c, const Expr *expr, const MethodSig *sig)
{
    bool atomic = annotation_find(&sig->annotations, "Atomic") != NULL;
    if (expr->kind == EXPR_SYNC && !atomic && c->place >= PLACE_INIT)
        check_error(c, expr->pos, expr->length, "%s can only call [Atomic] methods", PLACE_TEXTS[c->place]);
    if (expr->kind == EXPR_SYNC && !atomic && c->atomic)
        check_error(c, expr->pos, expr->length, "an [Atomic] method can only call [Atomic] methods");
    if (expr->kind == EXPR_SYNC && expr->left->kind == EXPR_THIS && c->readonly &&
        !annotation_find(&sig->annotations, "Readonly"))
        check_error(c, expr->pos, expr->length, "a [Readonly] method can only call [Readonly] methods of this object");
}

static void check_may_wait(Checker *c, const Expr *expr, const char *what)
{
    if (c->place >= PLACE_INIT)
        check_error(c, expr->pos, expr->length, "%s must not contain %s", PLACE_TEXTS[c->place], what);
    else if (c->atomic)
        check_error(c, expr->pos, expr->length, "an [Atomic] method must not contain %s", what);
}

static Type *check_method_call(Checker *c, Expr *expr)
{
    Type *receiver = type_resolve(check_expr(c, expr->left));
    MethodSig *sig = expr->name.text ? find_method(expr, receiver) : NULL;
    if (expr->kind == EXPR_AWAIT)
        check_may_wait(c, expr, "'await'");
    if (!sig || !sig->result) {
        if (!sig)
            report_no_method(c, expr, receiver);
        check_args_against(c, expr, NULL, 0, "method");
        return c->types.error;
    }
    check_args_against(c, expr, sig->types, sig->params.count, "method");
    check_promises(c, expr, sig);
    return expr->kind == EXPR_ASYNC ? type_make_future(&c->types, sig->result) : sig->result;
}

/* D.original() is the method as delta D left it, core.original() that of the core. */
static const MethodDecl *find_original(const Checker *c, const Expr *expr)
{
    const MethodDecl *original = c->method ? c->method->original : NULL;
    bool core = expr->name.text && strcmp(expr->name.text, "core") == 0;
    while (original && expr->name.text && original->delta != (core ? NULL : expr->name.text))
        original = original->original;
    return original;
}

static Type *check_original(Checker *c, Expr *expr)
{
    const MethodDecl *original = find_original(c, expr);
    if (!original) {
        if (expr->name.text)
            check_error(c, expr->pos, expr->length, "%s has no method of this name that is changed here",
                        expr->name.text);
        else
            check_error(c, expr->pos, expr->length, "there is no original method here");
        check_args_against(c, expr, NULL, 0, "method");
        return c->types.error;
    }
    expr->method = (MethodDecl *)original;
    expr->method->wanted = true;
    check_args_against(c, expr, original->sig.types, original->sig.params.count, "method");
    return original->sig.result;
}

static Type *check_get(Checker *c, Expr *expr)
{
    Type *type = type_resolve(check_expr(c, expr->left));
    check_may_wait(c, expr, "'get'");
    if (type->kind == TYPE_ERROR)
        return type;
    if (type_is_data(type, &c->types.future->decl))
        return type->args[0];
    if (type_is_data(type, c->types.destiny->decl))
        return c->types.bottom;
    Type *value = type_make_var(&c->types);
    check_fits(c, type, type_make_future(&c->types, value), expr->left->pos, expr->left->length, "before '.get'");
    return c->types.error;
}

Type *check_effect_call(Checker *c, Expr *expr)
{
    switch ((ExprKind)expr->kind) {
    case EXPR_NEW: return check_new(c, expr);
    case EXPR_GET: return check_get(c, expr);
    case EXPR_ORIGINAL: return check_original(c, expr);
    default: return check_method_call(c, expr);
    }
}
