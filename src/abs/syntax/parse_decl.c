/* parse_decl.c - modules, data types, functions */
#include "abs/syntax/parser_internal.h"

#include <string.h>

/* ---- Helpers ---------------------------------------------------------------------------- */

void *parser_new_decl(Parser *p, DeclKind kind, size_t size, const Annotations *annotations)
{
    Decl *decl = arena_zero(&p->model->arena, size);
    decl->kind = (uint8_t)kind;
    decl->module = p->module;
    decl->annotations = *annotations;
    return decl;
}

void *parser_copy(Parser *p, const void *items, size_t size)
{
    void *copy = arena_alloc(&p->model->arena, size);
    return size ? memcpy(copy, items, size) : copy;
}

static void recover(Parser *p, uint32_t from)
{
    p->panic = false;
    if (p->at == from)
        parser_advance(p);
    while (!parser_at(p, TOKEN_END) && !parser_begins_declaration(p))
        parser_advance(p);
}

/* ---- Data types and functions ----------------------------------------------------------- */

/* '(' type [ x ] { ',' type [ x ] } ')' */
static Params parse_constructor_params(Parser *p)
{
    VEC(Param) list = {0};
    if (!parser_take(p, TOKEN_PAREN_OPEN))
        return (Params){0};
    if (!parser_at(p, TOKEN_PAREN_CLOSE)) {
        do {
            Param param = {.type_ref = parse_type(p, "of the constructor's parameter")};
            if (token_is_name(parser_kind(p)))
                param.name = parser_name(p, "of the accessor function");
            VEC_PUSH(&list, param);
        } while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the parameters");
    Params params = {parser_copy(p, list.items, list.count * sizeof(Param)), list.count};
    VEC_FREE(&list);
    return params;
}

static ConstructorDecl *parse_constructor(Parser *p, const Annotations *annotations)
{
    ConstructorDecl *constructor = parser_new_decl(p, DECL_CONSTRUCTOR, sizeof *constructor, annotations);
    constructor->decl.name = parser_type_name(p, "of a constructor");
    constructor->params = parse_constructor_params(p);
    return constructor;
}

/* data = 'data' T type_params [ '=' constructor { '|' constructor } ] ';' */
static Decl *parse_data(Parser *p, const Annotations *annotations)
{
    DataDecl *data = parser_new_decl(p, DECL_DATA, sizeof *data, annotations);
    Annotations none = {0};
    uint32_t mark = p->scratch.count;
    parser_advance(p);
    data->decl.name = parser_declared_type(p, "of the data type");
    data->type_params = parse_type_params(p);
    if (parser_take(p, TOKEN_ASSIGN)) {
        parser_take(p, TOKEN_BAR);
        do {
            ConstructorDecl *constructor = parse_constructor(p, &none);
            constructor->data = data;
            parser_push(p, constructor);
        } while (parser_take(p, TOKEN_BAR));
    }
    data->constructors.items = parser_pop_pointers(p, mark, &data->constructors.count);
    parser_expect(p, TOKEN_SEMICOLON, "after the data type");
    return &data->decl;
}

/* exception = 'exception' constructor ';' */
static Decl *parse_exception(Parser *p, const Annotations *annotations)
{
    parser_advance(p);
    ConstructorDecl *constructor = parse_constructor(p, annotations);
    parser_expect(p, TOKEN_SEMICOLON, "after the exception");
    return &constructor->decl;
}

/* synonym = 'type' T '=' type ';' */
static Decl *parse_synonym(Parser *p, const Annotations *annotations)
{
    SynonymDecl *synonym = parser_new_decl(p, DECL_SYNONYM, sizeof *synonym, annotations);
    parser_advance(p);
    synonym->decl.name = parser_declared_type(p, "of the type synonym");
    parser_expect(p, TOKEN_ASSIGN, "after the name of the type");
    synonym->type_ref = parse_type(p, "after '='");
    parser_expect(p, TOKEN_SEMICOLON, "after the type");
    return &synonym->decl;
}

/* '(' f { ',' g } ')': names without types */
static NameList parse_function_params(Parser *p)
{
    VEC(Name) list = {0};
    parser_advance(p);
    do
        VEC_PUSH(&list, parser_name(p, "of the function parameter"));
    while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the function parameters");
    NameList names = {parser_copy(p, list.items, list.count * sizeof(Name)), list.count};
    VEC_FREE(&list);
    return names;
}

static void parse_function_body(Parser *p, FunctionDecl *function)
{
    parser_expect(p, TOKEN_ASSIGN, "before the body of the function");
    if (parser_take(p, TOKEN_BUILTIN)) {
        function->kind = FUNCTION_BUILTIN;
        function->query = parser_take(p, TOKEN_PAREN_OPEN);
        if (function->query)
            function->query_args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments of 'builtin'");
    } else {
        function->body = parse_expr(p);
    }
    parser_expect(p, TOKEN_SEMICOLON, "after the function");
}

/* function = 'def' type f type_params [ '(' f { ',' f } ')' ] params '=' ( expr | 'builtin' [ args ] ) ';' */
static Decl *parse_function(Parser *p, const Annotations *annotations)
{
    FunctionDecl *function = parser_new_decl(p, DECL_FUNCTION, sizeof *function, annotations);
    parser_advance(p);
    function->result_ref = parse_type(p, "of the function's result");
    function->decl.name = parser_name(p, "of the function");
    function->type_params = parse_type_params(p);
    if (parser_at(p, TOKEN_PAREN_OPEN) && token_is_name(parser_peek(p, 1)))
        function->function_params = parse_function_params(p);
    function->params = parse_params(p, "before the parameters of the function");
    parse_function_body(p, function);
    return &function->decl;
}

/* ---- Modules ---------------------------------------------------------------------------- */

/* port = ( '*' | name { ',' name } ) [ 'from' T ] ';' */
Port parse_port(Parser *p)
{
    Port port = {.pos = p->tokens[p->at].pos};
    VEC(Name) names = {0};
    parser_advance(p);
    if (parser_take(p, TOKEN_TIMES)) {
        port.all = true;
    } else {
        do
            VEC_PUSH(&names, parser_qualified_any(p, "to import or export"));
        while (parser_take(p, TOKEN_COMMA));
    }
    if (parser_take(p, TOKEN_FROM))
        port.from = parser_qualified_type(p, "of a module");
    parser_expect(p, TOKEN_SEMICOLON, "after the names");
    port.names.count = names.count;
    port.names.items = parser_copy(p, names.items, names.count * sizeof(Name));
    VEC_FREE(&names);
    return port;
}

Decl *parse_decl(Parser *p, const Annotations *annotations)
{
    switch (parser_kind(p)) {
    case TOKEN_DATA: return parse_data(p, annotations);
    case TOKEN_TYPE: return parse_synonym(p, annotations);
    case TOKEN_EXCEPTION: return parse_exception(p, annotations);
    case TOKEN_DEF: return parse_function(p, annotations);
    case TOKEN_INTERFACE: return parse_interface(p, annotations);
    case TOKEN_CLASS: return parse_class(p, annotations);
    default: break;
    }
    if (parser_at(p, TOKEN_TRAIT))
        return parse_trait(p, annotations);
    parser_fail(p, "expected a declaration");
    return NULL;
}

typedef struct ModuleParts {
    VEC(Port) imports, exports;
    VEC(Decl *) decls;
} ModuleParts;

static void parse_main(Parser *p, const Annotations *annotations)
{
    const Token *token = &p->tokens[p->at];
    Stmt *block = parse_block(p, "");
    if (p->module->main)
        parser_fail_at(p, token->pos, 1, "a module has at most one main block");
    block->annotations = *annotations;
    p->module->main = block;
}

static void parse_part(Parser *p, ModuleParts *parts)
{
    bool is_port = parser_at(p, TOKEN_IMPORT) || parser_at(p, TOKEN_EXPORT);
    if (is_port && parts->decls.count)
        parser_fail(p, "expected a declaration; imports and exports come first");
    if (parser_at(p, TOKEN_IMPORT)) {
        VEC_PUSH(&parts->imports, parse_port(p));
    } else if (parser_at(p, TOKEN_EXPORT)) {
        VEC_PUSH(&parts->exports, parse_port(p));
    } else {
        Annotations annotations = parse_annotations(p);
        if (parser_at(p, TOKEN_BRACE_OPEN)) {
            parse_main(p, &annotations);
            return;
        }
        Decl *decl = parse_decl(p, &annotations);
        if (decl && decl->name.text)
            VEC_PUSH(&parts->decls, decl);
    }
}

static void parse_header(Parser *p)
{
    if (parser_take(p, TOKEN_MODULE)) {
        p->module->name = parser_qualified_type(p, "of the module");
        parser_expect(p, TOKEN_SEMICOLON, "after the name of the module");
    } else {
        parser_fail(p, "expected 'module' and a name at the beginning");
    }
    p->panic = false;
    if (!p->module->name.text) {
        p->module->name = (Name){intern_make(&p->model->names, "?", 1), p->tokens[p->at].pos, 1};
        while (!parser_at(p, TOKEN_END) && !parser_begins_declaration(p) && !parser_at(p, TOKEN_BRACE_OPEN))
            parser_advance(p);
    }
}

static void finish_module(Parser *p, ModuleParts *parts)
{
    ModuleDecl *module = p->module;
    module->imports.count = parts->imports.count;
    module->imports.items = parser_copy(p, parts->imports.items, parts->imports.count * sizeof(Port));
    module->exports.count = parts->exports.count;
    module->exports.items = parser_copy(p, parts->exports.items, parts->exports.count * sizeof(Port));
    module->decls.count = parts->decls.count;
    module->decls.items = parser_copy(p, parts->decls.items, parts->decls.count * sizeof(Decl *));
    VEC_FREE(&parts->imports);
    VEC_FREE(&parts->exports);
    VEC_FREE(&parts->decls);
}

/* module = 'module' T ';' { import | export } { decl } [ annotations block ] */
void parse_module(Parser *p)
{
    ModuleParts parts = {0};
    if (parse_product_line(p))
        return;
    p->module = arena_zero(&p->model->arena, sizeof *p->module);
    p->module->file = p->file;
    VEC_PUSH(&p->model->modules, p->module);
    parse_header(p);
    while (!parser_at(p, TOKEN_END) && !parser_at(p, TOKEN_MODULE)) {
        uint32_t from = p->at;
        if (parse_product_line(p))
            continue;
        parse_part(p, &parts);
        if (p->panic)
            recover(p, from);
    }
    finish_module(p, &parts);
}
