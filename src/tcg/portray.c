/* portray.c - see portray.h
 *
 * Whether an unknown value was looked at follows from the inputs that were met: each has the
 * path of the value as its name. Looking does not add inputs.
 */
#include "tcg/portray.h"

#include <stdio.h>
#include <string.h>

#include "abs/inputs.h"
#include "abs/start.h"
#include "abs/symbol.h"
#include "abs/unknown.h"
#include "sym/print.h"

/* ---- Inputs that were met --------------------------------------------------------------- */

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

/* ---- Values ----------------------------------------------------------------------------- */

static void print_known(Machine *machine, Value v, Text *text);

/* The object of the start state with this identity, or what is known of it. */
static void print_reference(Machine *machine, Value v, uint32_t identity, Text *text)
{
    Session *session = inputs_session(machine->inputs);
    Bits other;
    if (identity == 0) {
        text_add_string(text, "null");
        return;
    }
    for (uint32_t i = 0; i < machine->starters.count; i++) {
        const Object *object = &machine->objects[machine->starters.items[i]];
        if (unknown_fits(v, object->class) && session_evaluate(session, object->identity, &other) && other == identity) {
            text_add_string(text, object->path);
            return;
        }
    }
    text_add(text, "object %u", identity);
}

static void print_unknown(Machine *machine, Value v, Text *text)
{
    Bits value;
    if (!find_input(machine, unknown_path(v), &value))
        text_add_string(text, "_");
    else if (unknown_is_reference(v))
        print_reference(machine, v, (uint32_t)value, text);
    else
        print_known(machine, unknown_settle(machine, v), text); /* decided already */
}

static void print_data(Machine *machine, const Cell *cell, Text *text)
{
    text_add_string(text, machine->image->constructor_names[cell->tag]);
    for (uint32_t i = 0; i < cell->count; i++) {
        text_add_string(text, i ? ", " : "(");
        print_known(machine, cell->args[i], text);
    }
    text_add_string(text, ")");
}

static void print_known(Machine *machine, Value v, Text *text)
{
    if (value_is_unknown(v))
        print_unknown(machine, v, text);
    else if (value_is_kind(v, CELL_DATA))
        print_data(machine, value_cell(v), text);
    else
        value_print(&machine->context, v, text);
}

/* ---- The beginning ------------------------------------------------------------------------ */

static void print_fresh(Machine *machine, const char *path, Type *type, Text *text)
{
    Bits ignored;
    Type *resolved = type_resolve(type);
    const Types *types = &machine->start->types;
    bool plain = resolved->kind == TYPE_DATA && (resolved->decl == types->integer->decl || resolved->decl == types->boolean->decl);
    if (plain && !find_input(machine, path, &ignored))
        text_add_string(text, "_");
    else
        print_known(machine, unknown_make(machine, path, type, 0), text);
}

static void print_object(Machine *machine, const Object *object, Text *text)
{
    char path[600];
    text_add(text, "%s:", object->path);
    for (uint32_t i = 0; i < object->class->field_count; i++) {
        const Field *field = object->class->decl->fields.items[i];
        snprintf(path, sizeof path, "%s.%s", object->path, field->name.text);
        text_add(text, "%s %s = ", i ? "," : "", field->name.text);
        print_fresh(machine, path, field->type, text);
    }
    text_add_string(text, "\n");
}

static void print_task(Machine *machine, const StartTask *task, Text *text)
{
    char path[600];
    const MethodSig *sig = &task->method->sig;
    text_add(text, "%s ! %s(", machine->start->objects.items[task->object].path, sig->name.text);
    for (uint32_t i = 0; i < sig->params.count; i++) {
        snprintf(path, sizeof path, "%s.%s", task->path, sig->params.items[i].name.text);
        text_add(text, "%s%s = ", i ? ", " : "", sig->params.items[i].name.text);
        print_fresh(machine, path, sig->types[i], text);
    }
    text_add_string(text, ")\n");
}

void portray_start(Machine *machine, Text *text)
{
    machine->looking = true;
    for (uint32_t i = 0; i < machine->starters.count; i++)
        print_object(machine, &machine->objects[machine->starters.items[i]], text);
    for (uint32_t i = 0; i < machine->start->tasks.count; i++)
        print_task(machine, &machine->start->tasks.items[i], text);
    machine->looking = false;
}

/* ---- The end --------------------------------------------------------------------------------- */

static void print_value_at_end(Machine *machine, Value v, Text *text)
{
    if (value_is_symbol(v)) {
        print_expr(inputs_pool(machine->inputs), symbol_expr(machine, v), text);
        text_add_string(text, " = ");
    }
    print_known(machine, v, text);
}

void portray_end(Machine *machine, Text *text)
{
    machine->looking = true;
    for (uint32_t i = 0; i < machine->live.count; i++) {
        const Object *object = &machine->objects[machine->live.items[i]];
        value_print(&machine->context, value_object(machine->live.items[i]), text);
        text_add_string(text, ":");
        for (uint32_t f = 0; f < object->class->field_count; f++) {
            text_add(text, "%s %s = ", f ? "," : "", object->class->decl->fields.items[f]->name.text);
            print_value_at_end(machine, object->fields[f], text);
        }
        text_add_string(text, "\n");
    }
    for (uint32_t i = 0; i < machine->start->tasks.count; i++) {
        const Task *task = &machine->tasks[start_agent(machine, i)];
        text_add(text, "%s %s ", machine->start->tasks.items[i].path, task->failed ? "throws" : task->state == TASK_DONE ? "returns" : "does not end");
        if (task->state == TASK_DONE)
            print_value_at_end(machine, task->result, text);
        text_add_string(text, "\n");
    }
    machine->looking = false;
}
