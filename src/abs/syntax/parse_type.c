/* parse_type.c - types, parameters and annotations */
#include "abs/syntax/parser_internal.h"

typedef VEC(Annotation) AnnotationVec;
typedef VEC(Param) ParamVec;
typedef VEC(Name) NameVec;

/* fragment = [ T ':' ] expr */
static void parse_fragment(Parser *p, AnnotationVec *list)
{
    Annotation annotation = {0};
    uint32_t i = p->at;
    while (p->tokens[i].kind == TOKEN_TYPE_NAME && p->tokens[i + 1].kind == TOKEN_DOT)
        i += 2;
    if (p->tokens[i].kind == TOKEN_TYPE_NAME && p->tokens[i + 1].kind == TOKEN_COLON) {
        annotation.tag = parser_qualified_type(p, "before ':'");
        parser_advance(p);
    }
    annotation.value = parse_expr(p);
    VEC_PUSH(list, annotation);
}

/* annotations = { '[' fragment { ',' fragment } ']' } */
Annotations parse_annotations(Parser *p)
{
    AnnotationVec list = {0};
    if (!parser_at(p, TOKEN_BRACKET_OPEN))
        return (Annotations){0};
    while (parser_take(p, TOKEN_BRACKET_OPEN)) {
        do
            parse_fragment(p, &list);
        while (parser_take(p, TOKEN_COMMA));
        parser_expect(p, TOKEN_BRACKET_CLOSE, "after the annotation");
    }
    Annotations result = {parser_copy(p, list.items, list.count * sizeof(Annotation)), list.count};
    VEC_FREE(&list);
    return result;
}

static void parse_type_args(Parser *p, TypeRef *type)
{
    uint32_t mark = p->scratch.count;
    do
        parser_push(p, parse_type(p, "as type argument"));
    while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_GREATER, "after the type arguments");
    type->args.items = parser_pop_pointers(p, mark, &type->args.count);
}

/* type = annotations T { '.' T } [ '<' type { ',' type } '>' ] */
TypeRef *parse_type(Parser *p, const char *context)
{
    TypeRef *type = arena_zero(&p->model->arena, sizeof *type);
    if (parser_enter(p)) {
        type->annotations = parse_annotations(p);
        type->name = parser_qualified_type(p, context);
        if (parser_take(p, TOKEN_LESS))
            parse_type_args(p, type);
    }
    parser_leave(p);
    return type;
}

/* params = '(' [ type x { ',' type x } ] ')' */
Params parse_params(Parser *p, const char *context)
{
    ParamVec list = {0};
    parser_expect(p, TOKEN_PAREN_OPEN, context);
    if (!parser_at(p, TOKEN_PAREN_CLOSE) && !p->panic) {
        do {
            Param param = {0};
            param.annotations = parse_annotations(p);
            param.type_ref = parse_type(p, "of the parameter");
            param.name = p->in_signature ? parser_name(p, "of the parameter")
                                         : parser_local_name(p, "of the parameter");
            VEC_PUSH(&list, param);
        } while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the parameters");
    Params result = {parser_copy(p, list.items, list.count * sizeof(Param)), list.count};
    VEC_FREE(&list);
    return result;
}

/* type_params = [ '<' T { ',' T } '>' ] */
NameList parse_type_params(Parser *p)
{
    NameVec list = {0};
    if (!parser_take(p, TOKEN_LESS))
        return (NameList){0};
    do
        VEC_PUSH(&list, parser_type_name(p, "as type parameter"));
    while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_GREATER, "after the type parameters");
    NameList result = {parser_copy(p, list.items, list.count * sizeof(Name)), list.count};
    VEC_FREE(&list);
    return result;
}
