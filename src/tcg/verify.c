/* verify.c - see verify.h */
#include "tcg/verify.h"

#include <stdio.h>
#include <string.h>

#include "abs/check/check.h"
#include "abs/run/inputs.h"
#include "abs/run/start.h"
#include "abs/run/unknown.h"
#include "abs/value/number.h"

enum { MOST_REASONS = 10 };

typedef struct Verifier {
    StartValues given;         /* values for the start state */
    AbsProgram *program;
    Machine *machine;
    const Model *suite;
    const TestScript *test;
    StartState *start;
    Text *reason;
    uint32_t reasons;
    bool broken;
} Verifier;

/* ---- Messages ------------------------------------------------------------------------------ */

static bool add_reason(Verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool add_reason(Verifier *v, const char *format, ...)
{
    va_list args;
    if (v->reasons++ >= MOST_REASONS)
        return false;
    va_start(args, format);
    text_add_list(v->reason, format, args);
    va_end(args);
    text_add_string(v->reason, "\n");
    return false;
}

static uint32_t line_of(const Verifier *v, SrcPos pos) { return source_place(&v->suite->sources, pos).line; }

static Value misfit(Verifier *v, const Expr *expr, Type *type)
{
    Text text = {0};
    type_print(type, false, &text);
    if (!v->broken)
        add_reason(v, "line %u: this is no value of type %s", line_of(v, expr->pos), text_borrow(&text));
    text_release(&text);
    v->broken = true;
    return VALUE_NONE;
}

typedef struct Namer {
    ValueContext context;      /* first */
    const Verifier *verifier;
} Namer;

static uint32_t object_number(Verifier *v, const ScriptObject *object);

static void print_object_name(const ValueContext *context, uint32_t number, Text *text)
{
    Verifier *v = (Verifier *)((const Namer *)context)->verifier;
    for (uint32_t i = 0; i < v->test->objects.count; i++)
        if (object_number(v, &v->test->objects.items[i]) == number) {
            text_add_string(text, v->test->objects.items[i].variable.text);
            return;
        }
    program_abs_object_name(v->program, number, text);
}

static void print_value_of(Verifier *v, Value value, Text *text)
{
    Namer namer = {.context = v->machine->context, .verifier = v};
    namer.context.print_object = print_object_name;
    value_print(&namer.context, value, text);
}

/* Inputs of the main block that nothing depended on have the values that the search would begin with. */
static Value read_found(Verifier *v, Value found)
{
    if (v->machine->start || !v->machine->inputs)
        return found;
    v->machine->inspecting = true;
    found = unknown_expand(v->machine, found);
    v->machine->inspecting = false;
    return found;
}

static bool compare(Verifier *v, SrcPos pos, const char *what, const char *part, Value found, Value expected)
{
    found = read_found(v, found);
    if (expected == VALUE_NONE || value_equal(found, expected))
        return expected != VALUE_NONE;
    Text got = {0}, wanted = {0};
    print_value_of(v, found, &got);
    print_value_of(v, expected, &wanted);
    add_reason(v, "line %u: %s%s is %s, expected %s", line_of(v, pos), what, part, text_borrow(&got),
               text_borrow(&wanted));
    text_release(&got);
    text_release(&wanted);
    return false;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static uint32_t object_number(Verifier *v, const ScriptObject *object)
{
    if (!object->creator)
        return unknown_object_number(v->machine, object->path);
    AgentId creator = names_parse_task(v->machine->names, object->creator);
    return creator == AGENT_NONE ? 0 : names_object(v->machine->names, creator, object->nth);
}

static const ClassCode *find_class(const Verifier *v, const char *name)
{
    const Image *image = v->machine->image;
    for (uint32_t i = 0; i < image->model->classes.count; i++)
        if (strcmp(image->classes[i].name, name_last_part(name)) == 0)
            return &image->classes[i];
    return NULL;
}

static bool is_future(const Verifier *v, const Type *type)
{
    const Types *types = &v->start->types;
    return type->kind == TYPE_DATA && (type->decl == &types->future->decl || type->decl == types->destiny->decl);
}

static Value read_variable(Verifier *v, const Expr *expr, Type *type)
{
    for (uint32_t i = 0; type->kind == TYPE_INTERFACE && i < v->test->objects.count; i++) {
        const ScriptObject *object = &v->test->objects.items[i];
        if (strcmp(object->variable.text, expr->name.text) != 0)
            continue;
        const ClassCode *class = object->creator ? NULL : find_class(v, object->class.text);
        if (class && !class->implements[((const InterfaceDecl *)type->decl)->number])
            return misfit(v, expr, type);
        return value_object(object_number(v, object));
    }
    for (uint32_t i = 0; is_future(v, type) && i < v->test->futures.count; i++)
        if (strcmp(v->test->futures.items[i].variable.text, expr->name.text) == 0) {
            AgentId agent = names_parse_task(v->machine->names, v->test->futures.items[i].task);
            return agent == AGENT_NONE ? misfit(v, expr, type) : value_future(agent);
        }
    return misfit(v, expr, type);
}

static Value read_number(Verifier *v, const Expr *expr, Type *type)
{
    Arena *arena = v->machine->arena;
    if (expr->kind == EXPR_INT)
        return number_parse(arena, expr->name.text);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NEGATE) {
        Value inner = read_number(v, expr->left, type);
        return inner == VALUE_NONE ? inner : number_negate(arena, inner);
    }
    if (expr->kind == EXPR_BINARY && expr->op == OP_DIV && type->decl == v->start->types.rational->decl) {
        Value a = read_number(v, expr->left, type), b = read_number(v, expr->right, type);
        Value quotient = a == VALUE_NONE || b == VALUE_NONE ? VALUE_NONE : number_apply(arena, NUMBER_DIV, a, b);
        return quotient == VALUE_NONE ? misfit(v, expr, type) : quotient;
    }
    return misfit(v, expr, type);
}

static Value read_float(Verifier *v, const Expr *expr, Type *type)
{
    bool negative = expr->kind == EXPR_UNARY && expr->op == OP_NEGATE;
    const Expr *plain = negative ? expr->left : expr;
    if (plain->kind != EXPR_FLOAT)
        return misfit(v, expr, type);
    double x = strtod(plain->name.text, NULL);
    return value_make_float(v->machine->arena, negative ? -x : x);
}

static Value read_value(Verifier *v, const Expr *expr, Type *type);

static const ConstructorDecl *find_constructor(const Verifier *v, const Decl *data, const char *name)
{
    const Model *model = program_abs_model(v->program);
    for (uint32_t i = 0; i < model->constructors.count; i++)
        if (&model->constructors.items[i]->data->decl == data &&
            strcmp(model->constructors.items[i]->decl.name.text, name_last_part(name)) == 0)
            return model->constructors.items[i];
    return NULL;
}

static Value make_data(Verifier *v, const ConstructorDecl *constructor, const Value *args)
{
    uint32_t count = constructor->params.count;
    if (count == 0)
        return value_constant(constructor->number);
    Value *copy = arena_alloc(v->machine->arena, count * sizeof *copy);
    memcpy(copy, args, count * sizeof *copy);
    return value_make_data(&v->machine->context, v->machine->arena, constructor->number, copy, count);
}

static Value read_data(Verifier *v, const Expr *expr, Type *type)
{
    enum { MOST_ARGUMENTS = 64 };
    Value args[MOST_ARGUMENTS];
    Types types = v->start->types;
    types.arena = &v->machine->heap;
    const ConstructorDecl *constructor =
        expr->kind == EXPR_CONSTRUCT ? find_constructor(v, type->decl, expr->name.text) : NULL;
    if (!constructor || constructor->params.count != expr->args.count || expr->args.count > MOST_ARGUMENTS)
        return misfit(v, expr, type);
    for (uint32_t i = 0; i < expr->args.count; i++) {
        Type *arg =
            type_substitute(&types, constructor->types[i], constructor->data->param_types, type->args, type->count);
        args[i] = read_value(v, expr->args.items[i], arg);
        if (args[i] == VALUE_NONE)
            return VALUE_NONE;
    }
    return make_data(v, constructor, args);
}

/* list[a, b] */
static Value read_list(Verifier *v, const Expr *expr, Type *type)
{
    const ConstructorDecl *cons = find_constructor(v, type->decl, "Cons"),
                          *nil = find_constructor(v, type->decl, "Nil");
    if (type->decl != &v->start->types.list->decl || !cons || !nil)
        return misfit(v, expr, type);
    Value list = make_data(v, nil, NULL);
    for (uint32_t i = expr->args.count; i-- > 0;) {
        Value pair[2] = {read_value(v, expr->args.items[i], type->args[0]), list};
        if (pair[0] == VALUE_NONE)
            return VALUE_NONE;
        list = make_data(v, cons, pair);
    }
    return list;
}

/* The value of an expression that must be of the type: literals, constructors, variables of the test. */
static Value read_value(Verifier *v, const Expr *expr, Type *type)
{
    const Types *types = &v->start->types;
    type = type_resolve(type);
    if (expr->kind == EXPR_NULL)
        return type->kind == TYPE_INTERFACE || is_future(v, type) ? VALUE_NULL : misfit(v, expr, type);
    if (expr->kind == EXPR_VARIABLE)
        return read_variable(v, expr, type);
    if (type->kind != TYPE_DATA)
        return misfit(v, expr, type);
    if (type->decl == types->integer->decl || type->decl == types->rational->decl)
        return read_number(v, expr, type);
    if (type->decl == types->floating->decl)
        return read_float(v, expr, type);
    if (type->decl == types->string->decl)
        return expr->kind == EXPR_STRING ? value_make_string(v->machine->arena, expr->string, expr->string_size)
                                         : misfit(v, expr, type);
    return expr->kind == EXPR_NARY ? read_list(v, expr, type) : read_data(v, expr, type);
}

/* ---- The start state ---------------------------------------------------------------------------- */

static bool is_below(const char *path, const char *above, const char *name)
{
    size_t length = strlen(above);
    return strncmp(path, above, length) == 0 && path[length] == '.' && strcmp(path + length + 1, name) == 0;
}

static const Expr *find_given(const Verifier *v, const char *path)
{
    const TestScript *test = v->test;
    for (uint32_t i = 0; i < test->before.count; i++)
        if (is_below(path, test->objects.items[test->before.items[i].object].path, test->before.items[i].field.text))
            return test->before.items[i].value;
    for (uint32_t i = 0; i < test->calls.count; i++) {
        const MethodSig *sig = &v->start->tasks.items[i].method->sig;
        for (uint32_t a = 0; a < sig->params.count; a++)
            if (is_below(path, v->start->tasks.items[i].path, sig->params.items[a].name.text))
                return test->calls.items[i].args.items[a];
    }
    return NULL;
}

static bool give(void *context, Machine *machine, const char *path, Type *type, Value *value)
{
    Verifier *v = context;
    (void)machine;
    const Expr *expr = find_given(v, path);
    *value = expr ? read_value(v, expr, type) : VALUE_NONE;
    if (!expr && !v->broken)
        add_reason(v, "the test gives no value for %s", path);
    v->broken = v->broken || !expr;
    return true;
}

static bool add_objects(Verifier *v)
{
    for (uint32_t i = 0; i < v->test->objects.count; i++) {
        const ScriptObject *object = &v->test->objects.items[i];
        const ClassCode *class = object->creator ? NULL : find_class(v, object->class.text);
        if (class)
            start_add_named(v->start, class, object->path);
        else if (!object->creator)
            return add_reason(v, "line %u: the model has no class %s", line_of(v, object->class.pos),
                              object->class.text);
    }
    return true;
}

static bool add_calls(Verifier *v)
{
    for (uint32_t i = 0; i < v->test->calls.count; i++) {
        const ScriptCall *call = &v->test->calls.items[i];
        const ScriptObject *object = &v->test->objects.items[call->object];
        const ClassCode *class = object->creator ? NULL : find_class(v, object->class.text);
        const MethodDecl *method = class ? start_find_method(class->decl, call->method.text) : NULL;
        if (!method)
            return add_reason(v, "line %u: class %s has no method %s", line_of(v, call->method.pos),
                              class ? class->name : "?", call->method.text);
        if (method->sig.params.count != call->args.count)
            return add_reason(v, "line %u: %s has %u parameters, the test gives %u", line_of(v, call->method.pos),
                              call->method.text, method->sig.params.count, call->args.count);
        start_add_task(v->start, call->object, method);
    }
    return true;
}

/* Reports fields of the test that the class does not have. */
static bool check_fields(Verifier *v)
{
    const TestScript *test = v->test;
    for (uint32_t i = 0; i < test->before.count; i++) {
        const ScriptObject *object = &test->objects.items[test->before.items[i].object];
        const ClassCode *class = find_class(v, object->class.text);
        if (class && !start_find_field(class->decl, test->before.items[i].field.text))
            return add_reason(v, "line %u: class %s has no field %s", line_of(v, test->before.items[i].field.pos),
                              class->name, test->before.items[i].field.text);
    }
    return true;
}

/* Reads all values once before the execution, so that invalid ones are reported. */
static bool check_values(Verifier *v)
{
    char path[600];
    Value ignored;
    v->machine->arena = &v->machine->heap;
    for (uint32_t i = 0; i < v->start->objects.count; i++) {
        const ClassDecl *class = v->start->objects.items[i].class->decl;
        for (uint32_t f = 0; f < class->fields.count; f++) {
            snprintf(path, sizeof path, "%s.%s", v->start->objects.items[i].path, class->fields.items[f]->name.text);
            give(v, v->machine, path, class->fields.items[f]->type, &ignored);
        }
    }
    for (uint32_t i = 0; i < v->start->tasks.count; i++) {
        const MethodSig *sig = &v->start->tasks.items[i].method->sig;
        for (uint32_t a = 0; a < sig->params.count; a++) {
            snprintf(path, sizeof path, "%s.%s", v->start->tasks.items[i].path, sig->params.items[a].name.text);
            give(v, v->machine, path, sig->types[a], &ignored);
        }
    }
    return !v->broken;
}

/* ---- The execution ------------------------------------------------------------------------------- */

static AgentId pick_none(Picker *self, Execution *ex, AgentId current)
{
    (void)self;
    (void)ex;
    (void)current;
    return AGENT_NONE;
}

/* "0.1/2,0": a task, and the choices of its step. */
static bool plan_step(Verifier *v, const char *step, PlanStep *planned, Literal *choices, uint32_t *count)
{
    char path[300];
    const char *slash = strchr(step, '/');
    snprintf(path, sizeof path, "%.*s", slash ? (int)(slash - step) : (int)strlen(step), step);
    *planned = (PlanStep){.agent = names_parse_task(v->machine->names, path), .first_choice = *count};
    while (slash && *count < EXECUTION_MAX_CHOICES) {
        choices[(*count)++] = (Literal){.taken = (uint32_t)strtoul(slash + 1, NULL, 10)};
        planned->choice_count++;
        slash = strchr(slash + 1, ',');
    }
    return planned->agent != AGENT_NONE;
}

static bool plan(Verifier *v, Execution *ex)
{
    uint32_t choices = 0;
    for (uint32_t i = 0; i < v->test->schedule.count; i++)
        if (i >= EXECUTION_MAX_EVENTS ||
            !plan_step(v, v->test->schedule.items[i], &ex->plan[i], ex->plan_choices, &choices))
            return add_reason(v, "step %u: %s is no name of a task", i + 1, v->test->schedule.items[i]);
    ex->plan_length = v->test->schedule.count;
    return true;
}

static const char *name_of(Verifier *v, AgentId agent, char *text, size_t size)
{
    Program *base = program_abs_program(v->program);
    base->ops->agent_name(base, agent, text, size);
    return text;
}

static const char *why_not(const Task *task, bool exists)
{
    if (!exists)
        return "does not exist";
    switch (task->state) {
    case TASK_DONE: return "has already terminated";
    case TASK_GET: return "still waits for a future (get)";
    case TASK_AWAIT: return "still waits (await)";
    default: return "cannot run here";
    }
}

static bool check_course(Verifier *v, const Execution *ex)
{
    char name[256];
    uint64_t site;
    const char *unsupported = program_abs_unsupported(v->program, &site);
    if (unsupported)
        return add_reason(v, "not supported: %s", unsupported);
    if (ex->end == END_DIVERGED && ex->diverged_at < ex->plan_length) {
        AgentId agent = ex->plan[ex->diverged_at].agent;
        const Task *task = &v->machine->tasks[agent];
        bool exists = agent < v->machine->task_count && task->state != TASK_ABSENT;
        return add_reason(v, "the schedule is not possible: in step %u task %s%s%s%s %s", ex->diverged_at + 1,
                          v->test->schedule.items[ex->diverged_at], exists ? " (" : "",
                          exists ? name_of(v, agent, name, sizeof name) : "", exists ? ")" : "", why_not(task, exists));
    }
    if (ex->end == END_COMPLETE && ex->event_count >= ex->plan_length)
        return true;
    return add_reason(v, "the execution continues after the %u steps of the schedule", ex->plan_length);
}

static void check_outcome(Verifier *v, const Execution *ex)
{
    const char *outcome = ex->finding_count ? bug_kind_name(ex->findings[0].kind) : "ok";
    if (strcmp(outcome, v->test->outcome) != 0)
        add_reason(v, "the outcome is %s, expected %s%s%s", outcome, v->test->outcome, ex->finding_count ? ": " : "",
                   ex->finding_count ? ex->findings[0].text : "");
}

static void check_result(Verifier *v, const ScriptResult *result)
{
    const StartTask *start = &v->start->tasks.items[result->call];
    const Task *task = &v->machine->tasks[start_agent(v->machine, result->call)];
    ScriptEnd end = task->state != TASK_DONE ? SCRIPT_WAITS : task->failed ? SCRIPT_THROWS : SCRIPT_RETURNS;
    static const char *const words[] = {"ends", "returns", "throws an exception", "does not end"};
    ScriptEnd wanted = result->end == SCRIPT_ENDS ? SCRIPT_RETURNS : result->end;
    if (end != wanted) {
        add_reason(v, "line %u: %s %s, expected that it %s", line_of(v, result->pos), start->path, words[end],
                   words[wanted]);
        return;
    }
    if (!result->value)
        return;
    Type *type = end == SCRIPT_THROWS ? v->start->types.exception : start->method->sig.result;
    compare(v, result->value->pos, "the result of ", start->path, task->result, read_value(v, result->value, type));
}

static void check_field(Verifier *v, const ScriptField *expected)
{
    const ScriptObject *object = &v->test->objects.items[expected->object];
    uint32_t number = object_number(v, object);
    const ModelObject *found = number ? machine_object(v->machine, number) : NULL;
    const Field *field = found && found->class ? start_find_field(found->class->decl, expected->field.text) : NULL;
    char what[300];
    if (!found || !found->class)
        add_reason(v, "line %u: %s does not exist", line_of(v, expected->field.pos), object->variable.text);
    else if (!field)
        add_reason(v, "line %u: %s has no field %s", line_of(v, expected->field.pos), object->variable.text,
                   expected->field.text);
    if (!field)
        return;
    snprintf(what, sizeof what, "%.250s.", object->variable.text);
    compare(v, expected->value->pos, what, expected->field.text, found->fields[field->index],
            read_value(v, expected->value, field->type));
}

static void check_end(Verifier *v, const Execution *ex)
{
    const TestScript *test = v->test;
    uint32_t objects = 0;
    check_outcome(v, ex);
    for (uint32_t i = 0; i < test->results.count; i++)
        check_result(v, &test->results.items[i]);
    for (uint32_t i = 0; i < test->after.count; i++)
        check_field(v, &test->after.items[i]);
    for (uint32_t i = 0; i < test->objects.count; i++) {
        uint32_t number = object_number(v, &test->objects.items[i]);
        bool exists = number && v->machine->objects[number].class;
        objects += exists;
        if (exists && v->machine->objects[number].dead != test->objects.items[i].dead)
            add_reason(v, "%s is %s at the end", test->objects.items[i].variable.text,
                       test->objects.items[i].dead ? "alive" : "dead");
    }
    if (v->machine->live.count > objects)
        add_reason(v, "there are %u objects at the end, expected %u", v->machine->live.count, objects);
}

static void run(Verifier *v)
{
    Program *base = program_abs_program(v->program);
    Execution *ex = program_abs_execution(v->program);
    Picker picker = {.pick = pick_none};
    InputValue none = {0};
    program_abs_set_start(v->program, v->test->semantics.from_main ? NULL : v->start);
    program_abs_fix_inputs(v->program, &none, 0);
    for (uint32_t i = 0; i < v->test->inputs.count; i++)
        if (!base->ops->set_input(base, v->test->inputs.items[i].name, v->test->inputs.items[i].value))
            add_reason(v, "%s is no value of an input", v->test->inputs.items[i].value);
    ex->picker = &picker;
    if (plan(v, ex)) {
        base->ops->run(base, ex);
        if (!v->broken && check_course(v, ex))
            check_end(v, ex);
    }
    program_abs_fix_inputs(v->program, NULL, 0);
    program_abs_set_start(v->program, NULL);
    ex->picker = NULL;
}

/* A test that begins with the main block has no start state of its own. */
static bool has_beginning(Verifier *v)
{
    const TestScript *test = v->test;
    if (!test->semantics.from_main)
        return true;
    for (uint32_t i = 0; i < test->objects.count; i++)
        if (!test->objects.items[i].creator)
            return add_reason(v, "line %u: a test that starts with the main block creates no objects itself",
                              line_of(v, test->objects.items[i].variable.pos));
    if (test->calls.count)
        return add_reason(v, "a test that starts with the main block has no calls itself");
    return check_find_main(program_abs_model(v->program)) || add_reason(v, "the model has no main block");
}

TestVerdict verify_test(AbsProgram *program, const Model *suite, const TestScript *test, Text *reason)
{
    Verifier v = {.program = program, .machine = (Machine *)program_abs_machine(program), .suite = suite,
                  .test = test, .reason = reason, .start = start_create(program_abs_model(program))};
    v.given = (StartValues){.find = give, .context = &v};
    v.start->given = &v.given;
    if (has_beginning(&v) && add_objects(&v) && add_calls(&v) && check_fields(&v) && check_values(&v))
        run(&v);
    else
        v.broken = true;
    start_destroy(v.start);
    return v.broken ? TEST_BROKEN : v.reasons ? TEST_FAILED : TEST_PASSED;
}
