/* parse_delta.c - deltas: what they add to the modules of a model, change in them and remove from them
 *
 * Older releases put the changes in braces and need no ';' after a removed class.
 */
#include "abs/syntax/parser_internal.h"

/* ---- Parameters -------------------------------------------------------------------------- */

/* T hasField ... | T hasMethod ... | T hasInterface ...: not supported, reported when the delta is applied */
static bool parse_class_param(Parser *p, DeltaDecl *delta)
{
    uint32_t behind = parser_scan_type(p, p->at), start = p->at;
    if (!behind)
        return false;
    p->at = behind;
    bool is_class = parser_at_word(p, "hasField") || parser_at_word(p, "hasMethod") ||
                    parser_at_word(p, "hasInterface");
    p->at = start;
    if (!is_class)
        return false;
    delta->class_param = parser_qualified_type(p, "of a class");
    for (unsigned open = 0; !parser_at(p, TOKEN_END); parser_advance(p)) {
        if (open == 0 && (parser_at(p, TOKEN_COMMA) || parser_at(p, TOKEN_PAREN_CLOSE)))
            break;
        open += parser_at(p, TOKEN_PAREN_OPEN);
        open -= parser_at(p, TOKEN_PAREN_CLOSE);
    }
    return true;
}

static void parse_delta_params(Parser *p, DeltaDecl *delta)
{
    VEC(Param) list = {0};
    if (!parser_take(p, TOKEN_PAREN_OPEN))
        return;
    if (!parser_at(p, TOKEN_PAREN_CLOSE)) {
        do {
            if (parse_class_param(p, delta))
                continue;
            Param param = {.type_ref = parse_type(p, "of the delta's parameter")};
            param.name = parser_name(p, "of the parameter");
            VEC_PUSH(&list, param);
        } while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the parameters of the delta");
    delta->params.count = list.count;
    delta->params.items = parser_copy(p, list.items, list.count * sizeof(Param));
    VEC_FREE(&list);
}

/* ---- Changes of classes and interfaces --------------------------------------------------- */

static bool at_field(const Parser *p)
{
    uint32_t behind = parser_scan_type(p, p->at + 1);
    TokenKind after = behind ? (TokenKind)p->tokens[behind + 1].kind : TOKEN_END;
    return behind && token_is_name((TokenKind)p->tokens[behind].kind) &&
           (after == TOKEN_ASSIGN || after == TOKEN_SEMICOLON);
}

/* change = ( 'adds' | 'removes' ) field | ( 'adds' | 'modifies' | 'removes' ) methods */
static ClassChange *parse_class_change(Parser *p)
{
    ClassChange *change = arena_zero(&p->model->arena, sizeof *change);
    TraitOp op = parser_at(p, TOKEN_ADDS) ? TRAIT_ADDS : parser_at(p, TOKEN_MODIFIES) ? TRAIT_MODIFIES : TRAIT_REMOVES;
    if (op != TRAIT_MODIFIES && at_field(p)) {
        parser_advance(p);
        change->kind = op == TRAIT_ADDS ? CHANGE_ADD_FIELD : CHANGE_REMOVE_FIELD;
        change->field = parse_field(p);
        return change;
    }
    change->kind = CHANGE_METHODS;
    change->step = parse_trait_step(p, op);
    change->step.delta = p->delta;
    while (parser_take(p, TOKEN_SEMICOLON))
        ;
    return change;
}

static bool at_change(const Parser *p)
{
    return parser_at(p, TOKEN_ADDS) || parser_at(p, TOKEN_MODIFIES) || parser_at(p, TOKEN_REMOVES);
}

static void parse_class_changes(Parser *p, DeltaOp *op)
{
    uint32_t mark = p->scratch.count;
    parser_expect(p, TOKEN_BRACE_OPEN, "before the changes of the class");
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE)) {
        if (at_change(p))
            parser_push(p, parse_class_change(p));
        else
            parser_fail(p, "expected 'adds', 'modifies' or 'removes'");
    }
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the changes of the class");
    op->changes.items = parser_pop_pointers(p, mark, &op->changes.count);
}

static void parse_modified_class(Parser *p, DeltaOp *op)
{
    op->kind = DELTA_MODIFY_CLASS;
    op->target = parser_qualified_type(p, "of the class");
    while (!p->panic && (at_change(p) || parser_at(p, TOKEN_IMPLEMENTS))) { /* older releases: implements */
        bool adds = !parser_at(p, TOKEN_REMOVES);
        parser_advance(p);
        NameList names = parser_qualified_types(p, "of an interface");
        if (adds)
            op->adds = names;
        else
            op->removes = names;
    }
    parse_class_changes(p, op);
}

static void parse_modified_interface(Parser *p, DeltaOp *op)
{
    VEC(SigChange) list = {0};
    op->kind = DELTA_MODIFY_INTERFACE;
    op->target = parser_qualified_type(p, "of the interface");
    parser_expect(p, TOKEN_BRACE_OPEN, "before the changes of the interface");
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE)) {
        SigChange change = {.sig = arena_zero(&p->model->arena, sizeof *change.sig)};
        change.kind = parser_at(p, TOKEN_ADDS) ? CHANGE_ADD_SIG
                      : parser_at(p, TOKEN_MODIFIES) ? CHANGE_MODIFY_SIG : CHANGE_REMOVE_SIG;
        if (at_change(p))
            parser_advance(p);
        else
            parser_fail(p, "expected 'adds', 'modifies' or 'removes'");
        parse_signature(p, change.sig, "of a method's result");
        parser_take(p, TOKEN_SEMICOLON);
        VEC_PUSH(&list, change);
    }
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the changes of the interface");
    op->sigs.count = list.count;
    op->sigs.items = parser_copy(p, list.items, list.count * sizeof(SigChange));
    VEC_FREE(&list);
}

/* ---- Changes of modules ------------------------------------------------------------------ */

static void parse_removed_type(Parser *p, DeltaOp *op)
{
    op->kind = parser_at(p, TOKEN_CLASS) ? DELTA_REMOVE_CLASS : DELTA_REMOVE_INTERFACE;
    if (!parser_take(p, TOKEN_CLASS))
        parser_expect(p, TOKEN_INTERFACE, "or 'class' after 'removes'");
    op->target = parser_qualified_type(p, "to remove");
    parser_take(p, TOKEN_SEMICOLON);
}

static void parse_added(Parser *p, DeltaOp *op)
{
    if (parser_at(p, TOKEN_IMPORT) || parser_at(p, TOKEN_EXPORT)) {
        op->kind = parser_at(p, TOKEN_IMPORT) ? DELTA_IMPORT : DELTA_EXPORT;
        op->port = parse_port(p);
        return;
    }
    Annotations annotations = parse_annotations(p);
    op->kind = DELTA_ADD;
    op->decl = parse_decl(p, &annotations);
}

/* op = 'adds' ( decl | import | export ) | 'removes' ( class | interface ) T
 *    | 'modifies' ( class | interface | decl ) */
static DeltaOp *parse_delta_op(Parser *p)
{
    DeltaOp *op = arena_zero(&p->model->arena, sizeof *op);
    if (parser_take(p, TOKEN_ADDS)) {
        parse_added(p, op);
    } else if (parser_take(p, TOKEN_REMOVES)) {
        parse_removed_type(p, op);
    } else {
        parser_advance(p);
        if (parser_take(p, TOKEN_CLASS)) {
            parse_modified_class(p, op);
        } else if (parser_take(p, TOKEN_INTERFACE)) {
            parse_modified_interface(p, op);
        } else {
            Annotations annotations = parse_annotations(p);
            op->kind = DELTA_REPLACE;
            op->decl = parse_decl(p, &annotations);
        }
    }
    return op;
}

static void parse_uses(Parser *p, DeltaDecl *delta)
{
    if (!parser_take(p, TOKEN_USES))
        return;
    delta->uses = parser_qualified_type(p, "of a module");
    parser_expect(p, TOKEN_SEMICOLON, "after the module");
}

/* delta = 'delta' T [ params ] ( ';' | '{' ) [ 'uses' M ';' ] { op } [ '}' ] */
void parse_delta(Parser *p)
{
    DeltaDecl *delta = arena_zero(&p->model->arena, sizeof *delta);
    uint32_t mark = p->scratch.count;
    delta->file = p->file;
    delta->first_token = p->at;
    delta->module = p->module;
    p->delta = delta;
    parser_advance(p);
    delta->name = parser_type_name(p, "of the delta");
    parse_delta_params(p, delta);
    parse_uses(p, delta);
    bool braces = parser_take(p, TOKEN_BRACE_OPEN);
    if (!braces && !delta->uses.text)
        parser_expect(p, TOKEN_SEMICOLON, "after the name of the delta");
    parse_uses(p, delta);
    while (!p->panic && at_change(p))
        parser_push(p, parse_delta_op(p));
    if (braces)
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the changes of the delta");
    delta->ops.items = parser_pop_pointers(p, mark, &delta->ops.count);
    p->delta = NULL;
    VEC_PUSH(&p->model->deltas, delta);
}
