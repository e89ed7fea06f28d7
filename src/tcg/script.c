/* script.c - see script.h */
#include "tcg/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ScriptReader {
    Model *suite;
    TestScript *test;
} ScriptReader;

/* ---- Messages and parts ------------------------------------------------------------------ */

static void complain(ScriptReader *r, SrcPos pos, uint32_t length, const char *text, const char *name)
{
    diag_add(&r->suite->diags, DIAG_ERROR, pos, length, text, name);
}

static const char *text_of(ScriptReader *r, const Annotation *annotation)
{
    const Expr *value = annotation->value;
    if (value && value->kind == EXPR_STRING)
        return value->string;
    if (annotation->tag.text)
        complain(r, annotation->tag.pos, annotation->tag.length, "[%s: ...] needs a string", annotation->tag.text);
    else if (value)
        complain(r, value->pos, value->length, "this annotation needs a string%s", "");
    return "";
}

/* The index of the object whose variable an annotation names; UINT32_MAX if there is none (reported). */
static uint32_t find_object(ScriptReader *r, const Expr *expr)
{
    const char *name = expr && expr->kind == EXPR_VARIABLE ? expr->name.text : NULL;
    for (uint32_t i = 0; name && i < r->test->objects.count; i++)
        if (strcmp(r->test->objects.items[i].variable.text, name) == 0)
            return i;
    if (expr)
        complain(r, expr->pos, expr->length, "%s is not an object of the test", name ? name : "this");
    return UINT32_MAX;
}

static uint32_t find_call(ScriptReader *r, const Expr *expr)
{
    const char *name = expr && expr->kind == EXPR_VARIABLE ? expr->name.text : NULL;
    for (uint32_t i = 0; name && i < r->test->calls.count; i++)
        if (r->test->calls.items[i].variable.text && strcmp(r->test->calls.items[i].variable.text, name) == 0)
            return i;
    if (expr)
        complain(r, expr->pos, expr->length, "%s is not the future of a call of the test", name ? name : "this");
    return UINT32_MAX;
}

/* ---- Statements ---------------------------------------------------------------------------- */

static void read_new(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *path = annotation_find(&stmt->annotations, "Path");
    ScriptObject object = {.variable = stmt->name, .class = stmt->expr->name, .path = stmt->name.text};
    if (path)
        object.path = text_of(r, path);
    VEC_PUSH(&r->test->objects, object);
}

/* "0.1.2#1": the first object of task 0.1.2. */
static void read_created(ScriptReader *r, const Stmt *stmt, const Annotation *created)
{
    const char *text = text_of(r, created), *mark = strrchr(text, '#');
    ScriptObject object = {.variable = stmt->name};
    if (!mark || atoi(mark + 1) < 1) {
        complain(r, stmt->pos, stmt->length, "[Created: ...] needs TASK#NUMBER%s", "");
        return;
    }
    object.creator = arena_copy(&r->suite->arena, text, (size_t)(mark - text));
    object.nth = (uint32_t)atoi(mark + 1);
    VEC_PUSH(&r->test->objects, object);
}

static void read_call(ScriptReader *r, const Expr *expr, Name variable)
{
    uint32_t object = find_object(r, expr->left);
    if (object != UINT32_MAX)
        VEC_PUSH(&r->test->calls, ((ScriptCall){variable, object, expr->name, expr->args}));
}

static void read_get(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *throws = annotation_find(&stmt->annotations, "Throws");
    uint32_t call = find_call(r, stmt->expr->left);
    ScriptResult result = {.call = call,
                           .pos = stmt->pos,
                           .variable = stmt->name,
                           .end = throws ? SCRIPT_THROWS : SCRIPT_ENDS,
                           .value = throws ? throws->value : NULL};
    if (call != UINT32_MAX)
        VEC_PUSH(&r->test->results, result);
}

static bool read_declare(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *created = annotation_find(&stmt->annotations, "Created");
    const Annotation *task = annotation_find(&stmt->annotations, "Task");
    if (created && !stmt->expr)
        read_created(r, stmt, created);
    else if (task && !stmt->expr)
        VEC_PUSH(&r->test->futures, ((ScriptFuture){stmt->name, text_of(r, task)}));
    else if (stmt->expr && stmt->expr->kind == EXPR_NEW)
        read_new(r, stmt);
    else if (stmt->expr && stmt->expr->kind == EXPR_ASYNC)
        read_call(r, stmt->expr, stmt->name);
    else if (stmt->expr && stmt->expr->kind == EXPR_GET)
        read_get(r, stmt);
    else
        return false;
    return true;
}

/* assert x == value; for the variable of a result. */
static bool read_result(ScriptReader *r, const Expr *left, const Expr *right)
{
    for (uint32_t i = 0; left->kind == EXPR_VARIABLE && i < r->test->results.count; i++) {
        ScriptResult *result = &r->test->results.items[i];
        if (result->variable.text && strcmp(result->variable.text, left->name.text) == 0) {
            result->end = SCRIPT_RETURNS;
            result->value = right;
            return true;
        }
    }
    return false;
}

static bool read_assert(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *of = annotation_find(&stmt->annotations, "Of");
    const Expr *expr = stmt->expr;
    if (!expr || expr->kind != EXPR_BINARY || expr->op != OP_EQ)
        return false;
    if (!of)
        return read_result(r, expr->left, expr->right);
    uint32_t object = find_object(r, of->value);
    if (expr->left->kind != EXPR_FIELD)
        return false;
    if (object != UINT32_MAX)
        VEC_PUSH(&r->test->after, ((ScriptField){object, expr->left->name, expr->right}));
    return true;
}

static bool read_assign(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *of = annotation_find(&stmt->annotations, "Of");
    if (!of || stmt->target->kind != EXPR_FIELD)
        return false;
    uint32_t object = find_object(r, of->value);
    if (object != UINT32_MAX)
        VEC_PUSH(&r->test->before, ((ScriptField){object, stmt->target->name, stmt->expr}));
    return true;
}

static bool read_skip(ScriptReader *r, const Stmt *stmt)
{
    const Annotation *waits = annotation_find(&stmt->annotations, "Waits");
    const Annotation *dead = annotation_find(&stmt->annotations, "Dead");
    uint32_t call = waits ? find_call(r, waits->value) : UINT32_MAX,
             object = dead ? find_object(r, dead->value) : UINT32_MAX;
    if (call != UINT32_MAX)
        VEC_PUSH(&r->test->results, ((ScriptResult){.call = call, .end = SCRIPT_WAITS, .pos = stmt->pos}));
    if (object != UINT32_MAX)
        r->test->objects.items[object].dead = true;
    return true;
}

static void read_stmt(ScriptReader *r, const Stmt *stmt)
{
    bool understood = false;
    switch ((StmtKind)stmt->kind) {
    case STMT_DECLARE: understood = read_declare(r, stmt); break;
    case STMT_ASSIGN: understood = read_assign(r, stmt); break;
    case STMT_ASSERT: understood = read_assert(r, stmt); break;
    case STMT_SKIP: understood = read_skip(r, stmt); break;
    case STMT_EXPR:
        understood = stmt->expr->kind == EXPR_GET || stmt->expr->kind == EXPR_ASYNC;
        if (stmt->expr->kind == EXPR_GET)
            read_get(r, stmt);
        else if (understood)
            read_call(r, stmt->expr, (Name){0});
        break;
    default: break;
    }
    if (!understood)
        complain(r, stmt->pos, stmt->length, "a test cannot have this statement%s", "");
}

/* ---- Annotations of the block ----------------------------------------------------------------- */

static void read_schedule(ScriptReader *r, const Annotation *annotation)
{
    const Expr *list = annotation->value;
    for (uint32_t i = 0; list && list->kind == EXPR_NARY && i < list->args.count; i++) {
        if (list->args.items[i]->kind == EXPR_STRING)
            VEC_PUSH(&r->test->schedule, list->args.items[i]->string);
        else
            complain(r, list->args.items[i]->pos, list->args.items[i]->length,
                     "a step is the name of a task, as a string%s", "");
    }
}

static void read_inputs(ScriptReader *r, const Annotation *annotation)
{
    const Expr *list = annotation->value;
    for (uint32_t i = 0; list && list->kind == EXPR_NARY && i < list->args.count; i++) {
        const Expr *pair = list->args.items[i];
        if (pair->kind == EXPR_CONSTRUCT && pair->args.count == 2 && pair->args.items[0]->kind == EXPR_STRING &&
            pair->args.items[1]->kind == EXPR_STRING)
            VEC_PUSH(&r->test->inputs, ((ScriptInput){pair->args.items[0]->string, pair->args.items[1]->string}));
        else
            complain(r, pair->pos, pair->length, "an input is Pair(\"NAME\", \"VALUE\")%s", "");
    }
}

static void read_start(ScriptReader *r, const Annotation *annotation)
{
    r->test->semantics.from_main = strcmp(text_of(r, annotation), "main") == 0;
    if (!r->test->semantics.from_main)
        complain(r, annotation->value->pos, annotation->value->length,
                 "a test starts with \"main\" or has objects%s", "");
}

static void read_time(ScriptReader *r, const Annotation *annotation)
{
    const char *word = text_of(r, annotation);
    r->test->semantics.free_time = strcmp(word, "free") == 0;
    if (!r->test->semantics.free_time && strcmp(word, "ordered") != 0)
        complain(r, annotation->value->pos, annotation->value->length, "time is \"ordered\" or \"free\"%s", "");
}

static void read_test(Model *suite, const ModuleDecl *module, const Annotation *title, ScriptList *list)
{
    TestScript test = {.outcome = "ok", .module = module->name.text};
    ScriptReader reader = {suite, &test};
    const Annotations *annotations = &module->main->annotations;
    const Annotation *found;
    test.title = title->value && title->value->kind == EXPR_STRING ? title->value->string : module->name.text;
    if ((found = annotation_find(annotations, "Model")))
        test.model = text_of(&reader, found);
    if ((found = annotation_find(annotations, "Start")))
        read_start(&reader, found);
    if ((found = annotation_find(annotations, "Time")))
        read_time(&reader, found);
    if ((found = annotation_find(annotations, "Ends")))
        test.outcome = text_of(&reader, found);
    if ((found = annotation_find(annotations, "Schedule")))
        read_schedule(&reader, found);
    if ((found = annotation_find(annotations, "Inputs")))
        read_inputs(&reader, found);
    for (uint32_t i = 0; i < module->main->stmts.count; i++)
        read_stmt(&reader, module->main->stmts.items[i]);
    VEC_PUSH(list, test);
}

void script_read(Model *suite, ScriptList *list)
{
    for (uint32_t i = 0; i < suite->modules.count; i++) {
        const ModuleDecl *module = suite->modules.items[i];
        const Annotation *title = module->main ? annotation_find(&module->main->annotations, "Test") : NULL;
        if (title)
            read_test(suite, module, title, list);
    }
}

void scripts_release(ScriptList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        TestScript *test = &list->items[i];
        VEC_FREE(&test->schedule);
        VEC_FREE(&test->inputs);
        VEC_FREE(&test->objects);
        VEC_FREE(&test->calls);
        VEC_FREE(&test->futures);
        VEC_FREE(&test->before);
        VEC_FREE(&test->after);
        VEC_FREE(&test->results);
    }
    VEC_FREE(list);
}
