/* trait.c - adds the methods of traits to the classes that use them, then changes them as deltas say
 *
 * Each user gets its own copy of a method (parsed again from its tokens), because
 * the checker attaches types to it. A method replaced by `modifies` stays in the
 * class under its name but hidden: the replacement's original() calls it.
 */
#include "abs/check/check_internal.h"
#include "abs/syntax/product_line.h"

#include <string.h>

enum { DEEPEST = 50, MOST_METHODS = 2000 };

typedef VEC(MethodDecl *) Methods;

static void apply_expr(Checker *c, Methods *methods, const TraitExpr *expr, unsigned depth);

static MethodDecl *find_visible(const Methods *methods, const char *name)
{
    for (uint32_t i = 0; i < methods->count; i++)
        if (methods->items[i]->sig.name.text == name && !methods->items[i]->hidden)
            return methods->items[i];
    return NULL;
}

static void add_method(Methods *methods, MethodDecl *method, TraitOp op)
{
    MethodDecl *old = method->sig.name.text ? find_visible(methods, method->sig.name.text) : NULL;
    if (old && op == TRAIT_MODIFIES) {
        MethodDecl *first = method;
        while (first->original)
            first = first->original;
        first->original = old;
        old->hidden = true;
    }
    VEC_PUSH(methods, method);
}

/* Copies of the methods of a set. */
static void collect_set(Checker *c, Methods *methods, const MethodSet *set, unsigned depth)
{
    for (uint32_t i = 0; i < set->methods.count; i++)
        VEC_PUSH(methods, parser_copy_method(c->model, set->methods.items[i]));
    if (!set->trait.text)
        return;
    TraitDecl *trait = (TraitDecl *)check_find(c, SPACE_TRAIT, &set->trait, "trait");
    if (!trait)
        return;
    if (trait->decl.resolving || depth > DEEPEST) {
        check_error(c, set->trait.pos, set->trait.length, "trait '%s' uses itself", set->trait.text);
        return;
    }
    if (methods->count > MOST_METHODS) {
        check_error(c, set->trait.pos, set->trait.length, "too many methods");
        return;
    }
    trait->decl.resolving = true;
    apply_expr(c, methods, trait->expr, depth + 1);
    trait->decl.resolving = false;
}

static void apply_set(Checker *c, Methods *methods, const MethodSet *set, TraitOp op, unsigned depth)
{
    Methods added = {0};
    collect_set(c, &added, set, depth);
    for (uint32_t i = 0; i < added.count; i++) {
        if (added.items[i]->hidden)
            VEC_PUSH(methods, added.items[i]);
        else
            add_method(methods, added.items[i], op);
    }
    VEC_FREE(&added);
}

static void remove_method(Checker *c, Methods *methods, const MethodSig *sig)
{
    const MethodDecl *old = sig->name.text ? find_visible(methods, sig->name.text) : NULL;
    if (!old) {
        if (sig->name.text)
            check_error(c, sig->name.pos, sig->name.length, "there is no method '%s' to remove", sig->name.text);
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < methods->count; i++)
        if (methods->items[i] != old)
            methods->items[kept++] = methods->items[i];
    methods->count = kept;
}

static void apply_expr(Checker *c, Methods *methods, const TraitExpr *expr, unsigned depth)
{
    Methods own = {0};
    apply_set(c, &own, &expr->base, TRAIT_ADDS, depth);
    for (uint32_t i = 0; i < expr->steps.count; i++) {
        const TraitStep *step = &expr->steps.items[i];
        if (step->op != TRAIT_REMOVES)
            apply_set(c, &own, &step->set, step->op, depth);
        for (uint32_t k = 0; k < step->removed.count; k++)
            remove_method(c, &own, step->removed.items[k]);
    }
    for (uint32_t i = 0; i < own.count; i++)
        VEC_PUSH(methods, own.items[i]);
    VEC_FREE(&own);
}

/* ---- Deltas ------------------------------------------------------------------------------ */

static void report_change(Checker *c, const TraitStep *step, const MethodSig *sig, const char *what,
                          const ClassDecl *class)
{
    check_error(c, sig->name.pos, sig->name.length, "delta '%s' %s method '%s', which class '%s' %s",
                step->delta->name.text, what, sig->name.text, class->decl.name.text,
                step->op == TRAIT_ADDS ? "already has" : "does not have");
}

static void apply_change(Checker *c, Methods *methods, const TraitStep *step, const ClassDecl *class)
{
    Methods changed = {0};
    collect_set(c, &changed, &step->set, 0);
    for (uint32_t i = 0; i < changed.count; i++) {
        MethodDecl *method = changed.items[i];
        bool known = method->sig.name.text && find_visible(methods, method->sig.name.text);
        method->delta = step->delta->name.text;
        if (!method->hidden && method->sig.name.text && known == (step->op == TRAIT_ADDS))
            report_change(c, step, &method->sig, step->op == TRAIT_ADDS ? "adds" : "modifies", class);
        else if (method->hidden)
            VEC_PUSH(methods, method);
        else
            add_method(methods, method, step->op);
    }
    VEC_FREE(&changed);
    for (uint32_t i = 0; i < step->removed.count; i++) {
        const MethodSig *sig = step->removed.items[i];
        if (sig->name.text && !find_visible(methods, sig->name.text))
            report_change(c, step, sig, "removes", class);
        else
            remove_method(c, methods, sig);
    }
}

/* ---- Classes ----------------------------------------------------------------------------- */

static void flatten_class(Checker *c, ClassDecl *class)
{
    Methods methods = {0};
    for (uint32_t i = 0; i < class->methods.count; i++)
        VEC_PUSH(&methods, class->methods.items[i]);
    for (uint32_t i = 0; i < class->uses.count; i++)
        apply_expr(c, &methods, class->uses.items[i], 0);
    for (uint32_t i = 0; i < class->changes.count; i++)
        apply_change(c, &methods, class->changes.items[i], class);
    class->methods.count = methods.count;
    class->methods.items = arena_alloc(&c->model->arena, methods.count * sizeof(MethodDecl *));
    if (methods.count)
        memcpy(class->methods.items, methods.items, methods.count * sizeof(MethodDecl *));
    VEC_FREE(&methods);
}

void check_flatten_traits(Checker *c)
{
    for (uint32_t i = 0; i < c->model->modules.count; i++) {
        c->module = c->model->modules.items[i];
        for (uint32_t k = 0; k < c->module->decls.count; k++) {
            ClassDecl *class = (ClassDecl *)c->module->decls.items[k];
            if (class->decl.kind == DECL_CLASS && (class->uses.count || class->changes.count))
                flatten_class(c, class);
        }
    }
}
