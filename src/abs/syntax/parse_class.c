/* parse_class.c - interfaces, classes, traits */
#include "abs/syntax/parser_internal.h"

void parse_signature(Parser *p, MethodSig *sig, const char *context)
{
    sig->annotations = parse_annotations(p);
    sig->result_ref = parse_type(p, context);
    sig->name = parser_name(p, "of the method");
    p->in_signature = true;
    sig->params = parse_params(p, "after the method");
    p->in_signature = false;
}

/* '{' { sig ';' } '}' */
static void parse_signatures(Parser *p)
{
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_END)) {
        MethodSig *sig = arena_zero(&p->model->arena, sizeof *sig);
        parse_signature(p, sig, "of a method's result");
        parser_expect(p, TOKEN_SEMICOLON, "after the method");
        parser_push(p, sig);
    }
}

/* interface = 'interface' T [ 'extends' T { ',' T } ] '{' { sig ';' } '}' */
Decl *parse_interface(Parser *p, const Annotations *annotations)
{
    InterfaceDecl *interface = parser_new_decl(p, DECL_INTERFACE, sizeof *interface, annotations);
    uint32_t mark = p->scratch.count;
    parser_advance(p);
    interface->decl.name = parser_declared_type(p, "of the interface");
    if (parser_take(p, TOKEN_EXTENDS))
        interface->extends = parser_qualified_types(p, "of an interface");
    parser_expect(p, TOKEN_BRACE_OPEN, "before the methods of the interface");
    parse_signatures(p);
    interface->methods.items = parser_pop_pointers(p, mark, &interface->methods.count);
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the methods of the interface");
    return &interface->decl;
}

/* ---- Methods and traits ----------------------------------------------------------------- */

/* method = annotations type m params block */
MethodDecl *parse_method(Parser *p, const char *context)
{
    MethodDecl *method = arena_zero(&p->model->arena, sizeof *method);
    method->first_token = p->at;
    method->file = p->file;
    method->delta = p->delta ? p->delta->name.text : NULL;
    method->bindings = p->bindings;
    parse_signature(p, &method->sig, context);
    for (uint32_t i = 0; i < method->sig.params.count; i++)
        parser_hide(p, &method->sig.params.items[i].name);
    method->body = parse_block(p, "before the body of the method");
    p->hidden.count = 0;
    return method;
}

static bool at_method(const Parser *p)
{
    uint32_t behind = parser_scan_type(p, p->at);
    return behind && token_is_name((TokenKind)p->tokens[behind].kind) &&
           p->tokens[behind + 1].kind == TOKEN_PAREN_OPEN;
}

/* method_set = t | method | '{' { method } '}' */
static MethodSet parse_method_set(Parser *p)
{
    MethodSet set = {0};
    uint32_t mark = p->scratch.count;
    if (token_is_name(parser_kind(p)) || (parser_at(p, TOKEN_TYPE_NAME) && !at_method(p))) {
        set.trait = parser_qualified_any(p, "of a trait");
        return set;
    }
    if (parser_take(p, TOKEN_BRACE_OPEN)) {
        while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_END))
            parser_push(p, parse_method(p, "of a method's result"));
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the methods of the trait");
    } else {
        parser_push(p, parse_method(p, "of a method's result, or the name of a trait"));
    }
    set.methods.items = parser_pop_pointers(p, mark, &set.methods.count);
    return set;
}

static void parse_removed(Parser *p, TraitStep *step)
{
    uint32_t mark = p->scratch.count;
    if (parser_take(p, TOKEN_BRACE_OPEN)) {
        parse_signatures(p);
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the removed methods");
    } else {
        MethodSig *sig = arena_zero(&p->model->arena, sizeof *sig);
        parse_signature(p, sig, "of a method's result");
        parser_take(p, TOKEN_SEMICOLON);
        parser_push(p, sig);
    }
    step->removed.items = parser_pop_pointers(p, mark, &step->removed.count);
}

static bool find_trait_op(TokenKind kind, TraitOp *op)
{
    *op = kind == TOKEN_ADDS ? TRAIT_ADDS : kind == TOKEN_MODIFIES ? TRAIT_MODIFIES : TRAIT_REMOVES;
    return kind == TOKEN_ADDS || kind == TOKEN_MODIFIES || kind == TOKEN_REMOVES;
}

TraitStep parse_trait_step(Parser *p, TraitOp op)
{
    TraitStep step = {.op = op};
    parser_advance(p);
    if (op == TRAIT_REMOVES)
        parse_removed(p, &step);
    else
        step.set = parse_method_set(p);
    return step;
}

/* trait_expr = method_set { 'adds' method_set | 'modifies' method_set | 'removes' sigs } */
static TraitExpr *parse_trait_expr(Parser *p)
{
    TraitExpr *expr = arena_zero(&p->model->arena, sizeof *expr);
    VEC(TraitStep) steps = {0};
    TraitOp op;
    expr->pos = p->tokens[p->at].pos;
    expr->base = parse_method_set(p);
    while (!p->panic && find_trait_op(parser_kind(p), &op)) {
        TraitStep step = parse_trait_step(p, op);
        VEC_PUSH(&steps, step);
    }
    expr->steps.count = steps.count;
    expr->steps.items = parser_copy(p, steps.items, steps.count * sizeof(TraitStep));
    VEC_FREE(&steps);
    return expr;
}

/* trait = 'trait' t '=' trait_expr [ ';' ] */
Decl *parse_trait(Parser *p, const Annotations *annotations)
{
    TraitDecl *trait = parser_new_decl(p, DECL_TRAIT, sizeof *trait, annotations);
    parser_advance(p);
    trait->decl.name = parser_qualified_any(p, "of the trait");
    parser_expect(p, TOKEN_ASSIGN, "after the name of the trait");
    trait->expr = parse_trait_expr(p);
    parser_take(p, TOKEN_SEMICOLON);
    return &trait->decl;
}

/* ---- Classes ---------------------------------------------------------------------------- */

typedef struct ClassParts {
    VEC(Field *) fields;
    VEC(MethodDecl *) methods;
    VEC(TraitExpr *) uses;
} ClassParts;

static void add_class_params(Parser *p, ClassDecl *class, ClassParts *parts)
{
    Params params = parse_params(p, "before the parameters of the class");
    class->param_count = params.count;
    for (uint32_t i = 0; i < params.count; i++) {
        Field *field = arena_zero(&p->model->arena, sizeof *field);
        field->name = params.items[i].name;
        field->type_ref = params.items[i].type_ref;
        field->annotations = params.items[i].annotations;
        field->is_parameter = true;
        VEC_PUSH(&parts->fields, field);
    }
}

/* field = annotations type x [ '=' expr ] ';' */
Field *parse_field(Parser *p)
{
    Field *field = arena_zero(&p->model->arena, sizeof *field);
    field->annotations = parse_annotations(p);
    field->type_ref = parse_type(p, "of a field or method");
    field->name = parser_name(p, "of the field or method");
    if (parser_take(p, TOKEN_ASSIGN))
        field->init = parse_expr(p);
    parser_expect(p, TOKEN_SEMICOLON, "after the field");
    return field;
}

static void parse_init(Parser *p, ClassDecl *class)
{
    const Token *token = &p->tokens[p->at];
    Stmt *block = parse_block(p, "");
    if (class->init)
        parser_fail_at(p, token->pos, token->length, "a class has at most one init block");
    class->init = block;
}

static void parse_member(Parser *p, ClassDecl *class, ClassParts *parts)
{
    if (parser_at(p, TOKEN_BRACE_OPEN)) {
        parse_init(p, class);
    } else if (parser_at(p, TOKEN_RECOVER) && parser_peek(p, 1) == TOKEN_BRACE_OPEN) {
        parser_advance(p);
        class->recover = parse_stmt_branches(p, "after 'recover'");
    } else if (parser_take(p, TOKEN_USES)) {
        VEC_PUSH(&parts->uses, parse_trait_expr(p));
        parser_expect(p, TOKEN_SEMICOLON, "after the trait");
    } else if (at_method(p)) {
        VEC_PUSH(&parts->methods, parse_method(p, "of a method's result"));
    } else {
        VEC_PUSH(&parts->fields, parse_field(p));
    }
}

/* Skips the next ';' or block at this level, so that the other members are parsed. */
static void recover_member(Parser *p, uint32_t from)
{
    unsigned open = 0;
    p->panic = false;
    if (p->at == from)
        parser_advance(p);
    while (!parser_at(p, TOKEN_END) && !parser_begins_declaration(p)) {
        TokenKind kind = parser_kind(p);
        if (kind == TOKEN_BRACE_CLOSE && open == 0)
            return;
        parser_advance(p);
        open += kind == TOKEN_BRACE_OPEN;
        open -= kind == TOKEN_BRACE_CLOSE;
        if (open == 0 && (kind == TOKEN_SEMICOLON || kind == TOKEN_BRACE_CLOSE))
            return;
    }
}

static void parse_members(Parser *p, ClassDecl *class, ClassParts *parts)
{
    while (!parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_END) && !parser_begins_declaration(p)) {
        uint32_t from = p->at;
        parse_member(p, class, parts);
        if (p->panic)
            recover_member(p, from);
    }
}

/* class = 'class' T [ params ] [ 'implements' T { ',' T } ] '{' { member } '}' */
Decl *parse_class(Parser *p, const Annotations *annotations)
{
    ClassDecl *class = parser_new_decl(p, DECL_CLASS, sizeof *class, annotations);
    ClassParts parts = {0};
    parser_advance(p);
    class->decl.name = parser_declared_type(p, "of the class");
    if (parser_at(p, TOKEN_PAREN_OPEN))
        add_class_params(p, class, &parts);
    if (parser_take(p, TOKEN_IMPLEMENTS))
        class->implements = parser_qualified_types(p, "of an interface");
    if (parser_expect(p, TOKEN_BRACE_OPEN, "before the members of the class")) {
        parse_members(p, class, &parts);
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the members of the class");
    }
    class->fields.count = parts.fields.count;
    class->fields.items = parser_copy(p, parts.fields.items, parts.fields.count * sizeof(Field *));
    class->methods.count = parts.methods.count;
    class->methods.items = parser_copy(p, parts.methods.items, parts.methods.count * sizeof(MethodDecl *));
    class->uses.count = parts.uses.count;
    class->uses.items = parser_copy(p, parts.uses.items, parts.uses.count * sizeof(TraitExpr *));
    VEC_FREE(&parts.fields);
    VEC_FREE(&parts.methods);
    VEC_FREE(&parts.uses);
    return &class->decl;
}
