/* portray.c - see portray.h
 *
 * Whether an unknown value was used follows from the inputs of the execution, which are named after the paths of the
 * values. Showing values adds no inputs. References that were only compared with others mean objects that were never
 * created; the test needs them nevertheless.
 */
#include "tcg/portray_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "abs/run/start.h"
#include "abs/run/symbol.h"
#include "abs/run/unknown.h"
#include "abs/value/number.h"
#include "sym/expr/print.h"

enum { LONGEST_PATH = 600 };

/* ---- Inputs of the execution --------------------------------------------------------------- */

static bool find_input(const Machine *machine, const char *path, Bits *value)
{
    const Session *session = inputs_session(machine->inputs);
    for (uint32_t i = 0; i < session_input_count(session); i++) {
        const Input *input = session_get_input(session, i, value);
        if (strcmp(input->name, path) == 0)
            return true;
    }
    return false;
}

/* ---- Objects ---------------------------------------------------------------------------- */

/* "DBClient" -> "dbClient", followed by a number. */
static const char *make_variable(Portrait *p, const char *name)
{
    char text[200];
    uint32_t nth = 1, size = (uint32_t)snprintf(text, sizeof text - 16, "%.150s", name);
    for (uint32_t i = 0; i < size && isupper((unsigned char)text[i]); i++)
        if (i == 0 || !islower((unsigned char)text[i + 1]))
            text[i] = (char)tolower((unsigned char)text[i]);
    for (uint32_t i = 0; i < p->test->objects.count; i++)
        nth += strcmp(p->test->objects.items[i].class, name) == 0;
    snprintf(text + size, sizeof text - size, "%u", nth);
    return testcase_keep(p->test, text);
}

static uint32_t add_object(Portrait *p, const char *name, const ClassCode *class, uint32_t number)
{
    const ClassDecl *decl = class->decl;
    TestObject object = {
        .class = testcase_keep(p->test, class->name),
        .number = number,
        .type = testcase_keep(p->test, decl->interfaces.count ? decl->interfaces.items[0]->decl.name.text : "Object")};
    object.variable = make_variable(p, class->name);
    object.name = name ? testcase_keep(p->test, name) : object.variable;
    for (uint32_t i = 0; i < class->field_count; i++)
        VEC_PUSH(&object.fields, (TestField){.name = testcase_keep(p->test, decl->fields.items[i]->name.text)});
    VEC_PUSH(&p->test->objects, object);
    return p->test->objects.count - 1;
}

const TestObject *portray_find_object(const Portrait *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->test->objects.count; i++)
        if (p->test->objects.items[i].number == number)
            return &p->test->objects.items[i];
    return NULL;
}

static const ClassCode *first_class(const Machine *machine, Value v)
{
    for (uint32_t i = 0; i < machine->image->model->classes.count; i++)
        if (unknown_fits(v, &machine->image->classes[i]))
            return &machine->image->classes[i];
    return NULL;
}

/* An object that is only compared with others; NULL if no class fits. */
static const TestObject *assume_object(Portrait *p, Value v, uint32_t identity)
{
    for (uint32_t i = 0; i < p->identities.count; i++)
        if (p->identities.items[i] == identity)
            return &p->test->objects.items[p->first_assumed + i];
    const ClassCode *class = first_class(p->machine, v);
    if (!class)
        return NULL;
    if (p->identities.count == 0)
        p->first_assumed = p->test->objects.count;
    VEC_PUSH(&p->identities, identity);
    uint32_t index = add_object(p, unknown_path(v), class, UINT32_MAX);
    return &p->test->objects.items[index];
}

/* ---- Values ----------------------------------------------------------------------------- */

static void print_object(Portrait *p, const TestObject *object)
{
    text_add_string(&p->text, !object ? "null" : p->view == VIEW_ABS ? object->variable : object->name);
}

/* The object of the start state with this identity. */
static void print_reference(Portrait *p, Value v, uint32_t identity)
{
    Machine *machine = p->machine;
    Bits other;
    for (uint32_t i = 0; identity && i < machine->starters.count; i++) {
        const ModelObject *object = &machine->objects[machine->starters.items[i]];
        if (unknown_fits(v, object->class) &&
            session_evaluate(inputs_session(machine->inputs), object->identity, &other) && other == identity) {
            print_object(p, portray_find_object(p, machine->starters.items[i]));
            return;
        }
    }
    print_object(p, identity ? assume_object(p, v, identity) : NULL);
}

/* Some value of a type, for a value that no step has used. */
static void print_default(Portrait *p, Type *type);

static void print_default_data(Portrait *p, const Type *type)
{
    const DataDecl *data = (const DataDecl *)type->decl;
    const ConstructorDecl *constructor = data->constructors.items[0];
    Types types = p->machine->start->types;
    types.arena = &p->machine->heap;
    for (uint32_t i = 0; i < data->constructors.count; i++)
        if (!unknown_is_recursive(data->constructors.items[i]))
            constructor = data->constructors.items[i]; /* the last one: the first is often an empty value */
    text_add_string(&p->text, constructor->decl.name.text);
    for (uint32_t i = 0; i < constructor->params.count; i++) {
        text_add_string(&p->text, i ? ", " : "(");
        print_default(p, type_substitute(&types, constructor->types[i], data->param_types, type->args, type->count));
    }
    text_add_string(&p->text, constructor->params.count ? ")" : "");
}

static void print_default_integer(Portrait *p)
{
    print_value(unknown_first_number(&p->machine->start->numbers, p->path), SORT_INT, &p->text);
}

static void print_default(Portrait *p, Type *type)
{
    const Types *types = &p->machine->start->types;
    type = type_resolve(type);
    if (type->kind != TYPE_DATA)
        text_add_string(&p->text, "null");
    else if (type->decl == types->integer->decl)
        print_default_integer(p);
    else if (type->decl == types->boolean->decl)
        text_add_string(&p->text, "False");
    else if (type->decl == types->rational->decl)
        text_add_string(&p->text, "0");
    else if (type->decl == types->floating->decl)
        text_add_string(&p->text, "0.0");
    else if (type->decl == types->string->decl)
        text_add_string(&p->text, "\"\"");
    else if (((const DataDecl *)type->decl)->constructors.count)
        print_default_data(p, type);
    else
        text_add_string(&p->text, "null");
}

static void print_untouched(Portrait *p, Type *type)
{
    if (p->view == VIEW_ABS || p->view == FORMAT_CONCRETE)
        print_default(p, type);
    else
        text_add_string(&p->text, "_");
}

static void add_part(Portrait *p, Value v)
{
    for (uint32_t i = 0; i < p->parts.count; i++)
        if (strcmp(p->parts.items[i].path, unknown_path(v)) == 0)
            return;
    VEC_PUSH(&p->parts, ((StartPart){unknown_path(v), v, p->inside > 0}));
}

static void print_unknown(Portrait *p, Value v)
{
    Bits value;
    if (!find_input(p->machine, unknown_path(v), &value)) {
        if (!p->machine->start || unknown_is_determined(p->machine, v))
            portray_value(p, unknown_settle(p->machine, v)); /* its parts may have been used */
        else if (p->ending && p->view != VIEW_ABS && p->view != FORMAT_CONCRETE)
            text_add_string(&p->text, unknown_path(v)); /* unchanged since the start */
        else
            print_untouched(p, unknown_type(v));
        return;
    }
    add_part(p, v);
    if (!unknown_is_reference(v)) {
        p->inside++;
        portray_value(p, unknown_settle(p->machine, v)); /* decided already */
        p->inside--;
    } else if (p->view == FORMAT_CONSTRAINTS) {
        portray_expr(p, unknown_identity(p->machine, v));
    } else {
        print_reference(p, v, (uint32_t)value);
    }
}

static void print_data(Portrait *p, const Cell *cell)
{
    text_add_string(&p->text, p->machine->image->constructor_names[cell->tag]);
    for (uint32_t i = 0; i < cell->count; i++) {
        text_add_string(&p->text, i ? ", " : "(");
        portray_value(p, cell->args[i]);
    }
    text_add_string(&p->text, ")");
}

static void print_string(Portrait *p, const Cell *cell)
{
    text_add_string(&p->text, "\"");
    for (uint32_t i = 0; i < cell->tag; i++) {
        char c = cell_bytes(cell)[i];
        switch (c) {
        case '\n': text_add_string(&p->text, "\\n"); break;
        case '\t': text_add_string(&p->text, "\\t"); break;
        case '\r': text_add_string(&p->text, "\\r"); break;
        case '"':
        case '\\': text_add(&p->text, "\\%c", c); break;
        default: text_add_bytes(&p->text, &c, 1); break;
        }
    }
    text_add_string(&p->text, "\"");
}

static void print_future(Portrait *p, AgentId agent)
{
    char task[256], variable[32];
    names_print_task(p->machine->names, agent, task, sizeof task);
    if (p->view != VIEW_ABS) {
        text_add(&p->text, "future of task %s", task);
        return;
    }
    for (uint32_t i = 0; i < p->test->futures.count; i++)
        if (strcmp(p->test->futures.items[i].task, task) == 0) {
            text_add_string(&p->text, p->test->futures.items[i].variable);
            return;
        }
    snprintf(variable, sizeof variable, "future%u", p->test->futures.count + 1);
    text_add_string(&p->text, variable);
    VEC_PUSH(&p->test->futures,
             ((TestFuture){testcase_keep(p->test, variable), testcase_keep(p->test, task), "Destiny"}));
}

/* Symbolic numbers as expressions, unless the format is concrete; other values as values. */
static void print_symbol(Portrait *p, Value v)
{
    Value concrete = symbol_concrete(v);
    bool by_value =
        p->view == VIEW_ABS || p->view == FORMAT_CONCRETE || (p->view == FORMAT_HYBRID && !number_is(concrete));
    if (by_value)
        portray_value(p, concrete);
    else
        portray_expr(p, symbol_expr(p->machine, v));
}

void portray_value(Portrait *p, Value v)
{
    if (value_is_unknown(v))
        print_unknown(p, v);
    else if (value_is_symbol(v))
        print_symbol(p, v);
    else if (value_is_kind(v, CELL_DATA))
        print_data(p, value_cell(v));
    else if (value_is_kind(v, CELL_STRING))
        print_string(p, value_cell(v));
    else if (value_tag(v) == TAG_FUTURE)
        print_future(p, value_number(v));
    else if (value_tag(v) == TAG_OBJECT && value_number(v))
        print_object(p, portray_find_object(p, value_number(v)));
    else
        value_print(&p->machine->context, v, &p->text);
    p->unwritable = p->unwritable || value_is_kind(v, CELL_CLOSURE);
}

static TestValue show(Portrait *p, void (*print)(Portrait *p, const void *what), const void *what)
{
    TestValue value;
    p->view = (int)p->format;
    print(p, what);
    value.shown = testcase_take(p->test, &p->text);
    p->view = VIEW_ABS;
    p->unwritable = false;
    print(p, what);
    value.text = testcase_take(p->test, &p->text);
    if (p->unwritable)
        value.text = NULL;
    return value;
}

static void print_known(Portrait *p, const void *what) { portray_value(p, *(const Value *)what); }

/* ---- The beginning ------------------------------------------------------------------------ */

typedef struct Fresh {
    const char *path;
    Type *type;
} Fresh;

/* A value of the start state as it was at the beginning. */
static void print_fresh(Portrait *p, const void *what)
{
    const Fresh *fresh = what;
    p->path = fresh->path;
    const Types *types = &p->machine->start->types;
    Bits ignored;
    Type *type = type_resolve(fresh->type);
    bool plain = type->kind == TYPE_DATA && (type->decl == types->integer->decl || type->decl == types->boolean->decl);
    if (plain && !find_input(p->machine, fresh->path, &ignored))
        print_untouched(p, type);
    else
        portray_value(p, unknown_make(p->machine, fresh->path, type, VALUE_NONE));
}

static TestValue show_fresh(Portrait *p, const char *above, const char *name, Type *type)
{
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s.%s", above, name);
    return show(p, print_fresh, &(Fresh){path, type});
}

static const ClassCode *class_of(const Portrait *p, const TestObject *object)
{
    const Machine *machine = p->machine;
    for (uint32_t i = 0; i < machine->image->model->classes.count; i++)
        if (strcmp(machine->image->classes[i].name, object->class) == 0)
            return &machine->image->classes[i];
    return NULL;
}

/* Objects may be added while the fields of others are shown. */
static void show_fields(Portrait *p, uint32_t index)
{
    const ClassCode *class = class_of(p, &p->test->objects.items[index]);
    for (uint32_t i = 0; class && i < class->field_count; i++) {
        const Field *field = class->decl->fields.items[i];
        TestValue value = show_fresh(p, p->test->objects.items[index].name, field->name.text, field->type);
        p->test->objects.items[index].fields.items[i].before = value;
    }
}

static void show_task(Portrait *p, const StartTask *start)
{
    const MethodSig *sig = &start->method->sig;
    char variable[200];
    uint32_t nth = 1;
    for (uint32_t i = 0; i < p->test->tasks.count; i++)
        nth += strcmp(p->test->tasks.items[i].method, sig->name.text) == 0;
    snprintf(variable, sizeof variable, "%.150s%u", sig->name.text, nth);
    TestTask task = {.name = testcase_keep(p->test, start->path), .variable = testcase_keep(p->test, variable),
                     .object = start->object, .method = testcase_keep(p->test, sig->name.text)};
    type_print(sig->result, false, &p->text);
    task.type = testcase_take(p->test, &p->text);
    for (uint32_t i = 0; i < sig->params.count; i++) {
        const char *name = sig->params.items[i].name.text;
        VEC_PUSH(&task.arguments, ((TestField){.name = testcase_keep(p->test, name),
                                               .before = show_fresh(p, start->path, name, sig->types[i])}));
    }
    VEC_PUSH(&p->test->tasks, task);
}

static void show_start(Portrait *p)
{
    const Machine *machine = p->machine;
    for (uint32_t i = 0; i < machine->starters.count; i++) {
        const ModelObject *object = &machine->objects[machine->starters.items[i]];
        add_object(p, object->path, object->class, machine->starters.items[i]);
    }
    for (uint32_t i = 0; machine->start && i < machine->start->tasks.count; i++)
        show_task(p, &machine->start->tasks.items[i]);
    for (uint32_t i = 0; i < p->test->objects.count; i++)
        show_fields(p, i);
}

/* ---- The end --------------------------------------------------------------------------------- */

static void add_created(Portrait *p, uint32_t number)
{
    const ObjectName *name = names_object_name(p->machine->names, number);
    char creator[256];
    names_print_task(p->machine->names, name->creator, creator, sizeof creator);
    uint32_t index = add_object(p, NULL, p->machine->objects[number].class, number);
    TestObject *object = &p->test->objects.items[index]; /* adding may have moved them */
    object->creator = testcase_keep(p->test, creator);
    object->nth = name->nth;
}

static void show_end(Portrait *p)
{
    const Machine *machine = p->machine;
    TestCase *test = p->test;
    p->ending = true;
    for (uint32_t i = 0; i < machine->live.count; i++)
        if (!portray_find_object(p, machine->live.items[i]))
            add_created(p, machine->live.items[i]);
    for (uint32_t i = 0; i < test->objects.count; i++) {
        uint32_t number = test->objects.items[i].number;
        for (uint32_t f = 0; number != UINT32_MAX && f < test->objects.items[i].fields.count; f++) {
            TestValue value = show(p, print_known, &machine->objects[number].fields[f]);
            test->objects.items[i].fields.items[f].after = value;
        }
        test->objects.items[i].dead = number != UINT32_MAX && machine->objects[number].dead;
    }
    for (uint32_t i = 0; i < test->tasks.count; i++) {
        const Task *task = &machine->tasks[start_agent(machine, i)];
        bool over = task->state == TASK_DONE;
        test->tasks.items[i].end = !over ? END_NEVER : task->failed ? END_THROWS : END_RETURNS;
        if (over)
            test->tasks.items[i].result = show(p, print_known, &task->result);
    }
}

void portray(AbsProgram *program, const Execution *ex, TestFormat format, TestCase *test)
{
    Portrait p = {.machine = (Machine *)program_abs_machine(program), .test = test, .format = format, .path = ""};
    p.machine->inspecting = true;
    if (p.machine->inputs)
        portray_open_condition(&p);
    show_start(&p);
    show_end(&p);
    if (p.condition)
        portray_condition(&p);
    p.machine->inspecting = false;
    portray_steps(&p, program, ex);
    text_release(&p.text);
    if (p.condition)
        condition_destroy(p.condition);
    VEC_FREE(&p.identities);
    VEC_FREE(&p.parts);
}
