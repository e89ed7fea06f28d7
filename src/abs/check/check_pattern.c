/* check_pattern.c - patterns: what they bind and whether they can match */
#include "abs/check/dialect.h"

static void report_mismatch(Checker *c, const Pattern *pattern, const Type *type)
{
    Text text = {0};
    type_print(type, false, &text);
    check_error(c, pattern->pos, pattern->length, "a value of type %s cannot match this pattern", text_borrow(&text));
    text_release(&text);
}

static void check_constructor(Checker *c, Pattern *pattern, Type *type)
{
    ConstructorDecl *constructor = (ConstructorDecl *)check_find(c, SPACE_CONSTRUCTOR, &pattern->name, "constructor");
    pattern->decl = constructor ? &constructor->decl : NULL;
    if (!constructor) {
        for (uint32_t i = 0; i < pattern->args.count; i++)
            check_pattern(c, pattern->args.items[i], c->types.error);
        return;
    }
    check_constructor_header(c, constructor);
    DataDecl *data = constructor->data;
    Type **vars = check_make_vars(c, data->type_params.count);
    if (!type_fits(&c->types, type, type_make_data(&c->types, data, vars))) {
        if (!constructor->params.count && dialect_matches(c, pattern, type_resolve(type)))
            return;
        report_mismatch(c, pattern, type);
    }
    if (pattern->args.count != constructor->params.count)
        check_error(c, pattern->pos, pattern->length, "constructor '%s' has %u argument%s, the pattern has %u",
                    pattern->name.text, constructor->params.count, constructor->params.count == 1 ? "" : "s",
                    pattern->args.count);
    for (uint32_t i = 0; i < pattern->args.count; i++)
        check_pattern(c, pattern->args.items[i],
                      i < constructor->params.count
                          ? type_substitute(&c->types, constructor->types[i], data->param_types, vars,
                                            data->type_params.count)
                          : c->types.error);
}

/* A name in scope matches its value; any other name is bound. */
static void check_variable(Checker *c, Pattern *pattern, Type *type)
{
    Variable *variable = check_find_local(c, pattern->name.text);
    Field *field = variable ? NULL : check_find_field(c, pattern->name.text);
    if (!variable && !field) {
        pattern->variable = check_add_local(c, &pattern->name, type);
        return;
    }
    Expr *known = arena_zero(&c->model->arena, sizeof *known);
    known->kind = EXPR_VARIABLE;
    known->name = pattern->name;
    known->pos = pattern->pos;
    known->length = pattern->length;
    known->variable = variable;
    known->field = field;
    known->type = variable ? variable->type : field->type;
    pattern->known = known;
    if (!type_join(&c->types, known->type, type))
        report_mismatch(c, pattern, type);
}

void check_pattern(Checker *c, Pattern *pattern, Type *type)
{
    pattern->type = type;
    switch ((PatternKind)pattern->kind) {
    case PATTERN_ERROR:
    case PATTERN_WILDCARD: break;
    case PATTERN_VARIABLE:
        if (pattern->name.text)
            check_variable(c, pattern, type);
        break;
    case PATTERN_INT:
        if (!type_fits(&c->types, c->types.integer, type) && !dialect_matches(c, pattern, type_resolve(type)))
            report_mismatch(c, pattern, type);
        break;
    case PATTERN_STRING:
        if (!type_fits(&c->types, c->types.string, type) && !dialect_matches(c, pattern, type_resolve(type)))
            report_mismatch(c, pattern, type);
        break;
    case PATTERN_CONSTRUCTOR: check_constructor(c, pattern, type); break;
    }
}
