/* lower_call.c - calls of functions and constructors, anonymous functions */
#include "abs/lower/lower_internal.h"

#include <string.h>

enum { LIST_CHUNK = 64 };

/* ---- Functions ------------------------------------------------------------------- */

/* Code for a function; its body is lowered later, so that recursive calls find it. */
static Code *lower_function(Lowering *lowering, FunctionDecl *function)
{
    if (!function->code) {
        function->code = lower_new_code(lowering, CODE_FUNCTION, function->decl.name.text, function->decl.name.pos);
        function->code->param_count = (uint16_t)(function->function_params.count + function->arg_count);
        VEC_PUSH(&lowering->functions, function);
    }
    return function->code;
}

static Accessor *find_accessor(Lowering *lowering, FunctionDecl *function)
{
    bool added;
    uint64_t *value = map_insert(&lowering->accessors, map_key(function), &added);
    if (!added)
        return (Accessor *)(uintptr_t)*value;
    const Model *model = lowering->model;
    Accessor *accessor = arena_zero(&lowering->image->arena,
                                    sizeof *accessor + model->constructors.count * sizeof accessor->places[0]);
    for (uint32_t i = 0; i < model->constructors.count; i++) {
        const ConstructorDecl *constructor = model->constructors.items[i];
        for (uint32_t k = 0; k < constructor->params.count && constructor->data == function->accessed; k++)
            if (constructor->params.items[k].name.text == function->decl.name.text) {
                accessor->places[accessor->count].constructor = constructor->number;
                accessor->places[accessor->count++].index = k;
            }
    }
    *value = map_key(accessor);
    return accessor;
}

static void emit_builtin(CodeBuilder *b, BuiltinFunction *builtin, uint16_t target, uint16_t base, uint32_t count)
{
    lower_emit(b, INSTR_BUILTIN, target, base, (uint16_t)count);
    lower_last(b)->x.builtin = builtin;
    b->lowering->image->has_inputs |= builtin_is_input(builtin);
}

static void emit_query(CodeBuilder *b, const FunctionDecl *function, uint16_t target, uint16_t base, uint32_t count)
{
    lower_emit(b, function->input ? INSTR_QUERY : INSTR_UNSUPPORTED, target, base, (uint16_t)count);
    if (function->input)
        lower_last(b)->x.input = lower_input(b, function->decl.name.text, function->result);
    else
        lower_last(b)->x.text = function->query ? "a query whose result cannot be an input"
                                                : "a built-in function that Sennit does not know";
}

/* Emits a call of the function; its arguments are in registers from `base` on. */
static void emit_call(CodeBuilder *b, FunctionDecl *function, uint16_t target, uint16_t base, uint32_t count, bool tail)
{
    BuiltinFunction *builtin;
    switch (function->kind) {
    case FUNCTION_ACCESSOR:
        lower_emit(b, INSTR_ACCESS, target, base, 0);
        lower_last(b)->x.accessor = find_accessor(b->lowering, function);
        return;
    case FUNCTION_BUILTIN:
        builtin = b->lowering->model->sources.files.items[function->decl.module->file].library
                      ? builtin_find(function->decl.name.text) : NULL;
        if (builtin)
            emit_builtin(b, builtin, target, base, count);
        else
            emit_query(b, function, target, base, count);
        return;
    default:
        lower_emit(b, tail ? INSTR_TAIL_CALL : INSTR_CALL, target, base, (uint16_t)count);
        lower_last(b)->x.code = lower_function(b->lowering, function);
    }
}

static bool is_tail_callable(const FunctionDecl *function)
{
    return function->kind == FUNCTION_DEFINED;
}

/* ---- Functional arguments ------------------------------------------------------------ */

static uint16_t lower_capture_source(CodeBuilder *b, const Capture *capture)
{
    if (capture->variable)
        return lower_variable(b, capture->variable);
    return capture->field ? lower_field(b, capture->field) : lower_this(b);
}

static void lower_lambda_to(CodeBuilder *b, const Expr *lambda, uint16_t target)
{
    CodeBuilder inner;
    Code *code = lower_new_code(b->lowering, CODE_LAMBDA, "anonymous function", lambda->pos);
    code->param_count = (uint16_t)lambda->params.count;
    lower_begin(&inner, b->lowering, b, code);
    uint16_t first = lower_temps(&inner, lambda->params.count);
    for (uint32_t i = 0; i < lambda->params.count; i++)
        lower_declare(&inner, lambda->params.items[i].variable, (uint16_t)(first + i));
    lower_find_captures(&inner, lambda);
    inner.function = b->function;
    lower_tail(&inner, lambda->left);
    uint32_t count = inner.captures.count;
    uint16_t base = lower_temps(b, count);
    code->captured_count = count;
    code->captured = arena_alloc(&b->lowering->image->arena, count * sizeof(uint16_t));
    for (uint32_t i = 0; i < count; i++) {
        code->captured[i] = inner.captures.items[i].slot;
        lower_emit(b, INSTR_MOVE, (uint16_t)(base + i), lower_capture_source(b, &inner.captures.items[i]), 0);
    }
    lower_end(&inner);
    lower_emit(b, INSTR_CLOSURE, target, base, (uint16_t)count);
    lower_last(b)->x.code = code;
}

/* Built-in functions and accessors have no code: makes a function that calls them. */
static Code *wrap_function(CodeBuilder *b, FunctionDecl *function)
{
    CodeBuilder inner;
    Code *code = lower_new_code(b->lowering, CODE_FUNCTION, function->decl.name.text, function->decl.name.pos);
    code->param_count = (uint16_t)function->arg_count;
    lower_begin(&inner, b->lowering, NULL, code);
    uint16_t base = lower_temps(&inner, function->arg_count), target = lower_temp(&inner);
    emit_call(&inner, function, target, base, function->arg_count, false);
    lower_emit(&inner, INSTR_RETURN, 0, target, 0);
    lower_end(&inner);
    return code;
}

static void lower_functional_arg(CodeBuilder *b, const Expr *arg, uint16_t target)
{
    if (arg->kind == EXPR_LAMBDA) {
        lower_lambda_to(b, arg, target);
    } else if (arg->variable) {
        lower_emit(b, INSTR_MOVE, target, lower_variable(b, arg->variable), 0);
    } else {
        FunctionDecl *function = (FunctionDecl *)arg->decl;
        const Code *code = is_tail_callable(function) ? lower_function(b->lowering, function)
                                                      : wrap_function(b, function);
        lower_const(b, target, value_make_closure(&b->lowering->image->arena, code, NULL, 0));
    }
}

/* ---- Calls -------------------------------------------------------------------------------- */

static void lower_function_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    FunctionDecl *function = (FunctionDecl *)expr->decl;
    uint32_t functions = function->function_params.count;
    uint16_t base = lower_temps(b, functions + expr->args.count);
    for (uint32_t i = 0; i < functions; i++) {
        if (expr->functions.count)
            lower_functional_arg(b, expr->functions.items[i], (uint16_t)(base + i));
        else /* a recursive call passes its own functions on */
            lower_emit(b, INSTR_MOVE, (uint16_t)(base + i), lower_variable(b, function->function_variables[i]), 0);
    }
    lower_args(b, &expr->args, (uint16_t)(base + functions));
    b->pos = expr->pos;
    tail = tail && is_tail_callable(function);
    emit_call(b, function, target, base, functions + expr->args.count, tail);
}

static void lower_parameter_call(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    uint16_t base = lower_temps(b, expr->args.count);
    lower_args(b, &expr->args, base);
    b->pos = expr->pos;
    lower_emit(b, INSTR_CALL_CLOSURE, target, base, (uint16_t)expr->args.count);
    lower_last(b)->x.number = lower_variable(b, expr->variable);
}

/* Prepends the elements to the list in chunks, the last ones first. */
static void lower_list(CodeBuilder *b, const ExprList *args, uint16_t target)
{
    uint16_t base = lower_temps(b, args->count < LIST_CHUNK ? args->count : LIST_CHUNK);
    const Image *image = b->lowering->image;
    lower_const(b, target, value_constant(image->nil));
    for (uint32_t end = args->count; end > 0;) {
        uint32_t first = end > LIST_CHUNK ? end - LIST_CHUNK : 0;
        for (uint32_t i = first; i < end; i++)
            lower_expr_to(b, args->items[i], (uint16_t)(base + i - first));
        lower_emit(b, INSTR_LIST, target, base, (uint16_t)(end - first));
        lower_last(b)->x.number = image->cons;
        end = first;
    }
}

static void lower_nary(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    FunctionDecl *function = (FunctionDecl *)expr->decl;
    uint16_t list = lower_temp(b);
    lower_list(b, &expr->args, list);
    b->pos = expr->pos;
    emit_call(b, function, target, list, 1, false);
}

static void lower_construct(CodeBuilder *b, const Expr *expr, uint16_t target)
{
    const ConstructorDecl *constructor = (const ConstructorDecl *)expr->decl;
    if (expr->args.count == 0) {
        lower_const(b, target, value_constant(constructor->number));
        return;
    }
    uint16_t base = lower_temps(b, expr->args.count);
    lower_args(b, &expr->args, base);
    b->pos = expr->pos;
    lower_emit(b, INSTR_CONSTRUCT, target, base, (uint16_t)expr->args.count);
    lower_last(b)->x.number = constructor->number;
}

static void lower_plain_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    if (expr->kind == EXPR_CONSTRUCT)
        lower_construct(b, expr, target);
    else if (expr->kind == EXPR_NARY)
        lower_nary(b, expr, target);
    else if (expr->variable)
        lower_parameter_call(b, expr, target);
    else
        lower_function_call(b, expr, target, tail);
}

void lower_call(CodeBuilder *b, const Expr *expr, uint16_t target, bool tail)
{
    bool tail_call = tail && expr->kind == EXPR_CALL && !expr->variable && is_tail_callable((FunctionDecl *)expr->decl);
    if (tail && !tail_call)
        target = lower_temp(b);
    lower_plain_call(b, expr, target, tail_call);
    if (tail && !tail_call)
        lower_emit(b, INSTR_RETURN, 0, target, 0);
}
