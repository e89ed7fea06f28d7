/* emit_abs.c - see emit.h: a test as an ABS module */
#include "tcg/emit.h"

#include <string.h>

#include "sym/expr/print.h"

/* Adds a string literal with quotes. */
static void add_quoted(const char *string, Text *text)
{
    text_add_string(text, "\"");
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            text_add_string(text, "\\");
        text_add_bytes(text, string, 1);
    }
    text_add_string(text, "\"");
}

/* ---- Header ----------------------------------------------------------------------------- */

static void add_schedule(const TestCase *test, Text *text)
{
    text_add_string(text, "[Schedule: list[");
    for (uint32_t i = 0; i < test->steps.count; i++)
        text_add(text, "%s\"%s\"", i ? ", " : "", test->steps.items[i].task);
    text_add_string(text, "]]\n");
}

/* Inputs of tasks ("0.1 random"); those of the start state are values of fields and arguments. */
static void add_inputs(const TestCase *test, Text *text)
{
    const char *gap = "[Inputs: list[";
    for (uint32_t i = 0; i < test->inputs.count; i++) {
        const TestInput *input = &test->inputs.items[i];
        if (!test->from_main && !testcase_is_drawn(input))
            continue;
        text_add(text, "%sPair(\"%s", gap, input->name);
        text_add(text, input->number ? "#%u\", \"" : "\", \"", input->number);
        print_value(input->value, input->sort, text);
        text_add_string(text, "\")");
        gap = ", ";
    }
    text_add_string(text, *gap == '[' ? "" : "]]\n");
}

static void add_header(const TestCase *test, const EmitNames *names, Text *text)
{
    text_add(text, "module %s;\nimport * from %s;\n\n[Test: ", names->module, names->model);
    add_quoted(names->title, text);
    text_add_string(text, "]\n[Model: ");
    add_quoted(names->path, text);
    text_add(text, "]\n%s%s[Ends: \"%s\"]\n", test->from_main ? "[Start: \"main\"]\n" : "",
             test->free_time ? "[Time: \"free\"]\n" : "", test->outcome);
    add_schedule(test, text);
    add_inputs(test, text);
}

/* ---- The beginning ------------------------------------------------------------------------ */

static void add_objects(const TestCase *test, Text *text)
{
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        if (object->creator)
            continue;
        text_add_string(text, "    [Path: ");
        add_quoted(object->name, text);
        text_add(text, "] %s %s = new %s();\n", object->type, object->variable, object->class);
    }
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        for (uint32_t f = 0; f < object->fields.count && !object->creator; f++)
            text_add(text, "    [Of: %s] this.%s = %s;\n", object->variable, object->fields.items[f].name,
                     object->fields.items[f].before.text);
    }
}

static void add_tasks(const TestCase *test, Text *text)
{
    for (uint32_t i = 0; i < test->tasks.count; i++) {
        const TestTask *task = &test->tasks.items[i];
        text_add(text, "    Fut<%s> %s = %s!%s(", task->type, task->variable,
                 test->objects.items[task->object].variable, task->method);
        for (uint32_t a = 0; a < task->arguments.count; a++)
            text_add(text, "%s%s", a ? ", " : "", task->arguments.items[a].before.text);
        text_add_string(text, ");\n");
    }
}

/* ---- The end ---------------------------------------------------------------------------------- */

static void add_names(const TestCase *test, Text *text)
{
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        if (object->creator)
            text_add(text, "    [Created: \"%s#%u\"] %s %s;\n", object->creator, object->nth, object->type,
                     object->variable);
    }
    for (uint32_t i = 0; i < test->futures.count; i++)
        text_add(text, "    [Task: \"%s\"] %s %s;\n", test->futures.items[i].task, test->futures.items[i].type,
                 test->futures.items[i].variable);
}

static void add_result(const TestTask *task, Text *text)
{
    if (task->end == END_NEVER)
        text_add(text, "    [Waits: %s] skip;\n", task->variable);
    else if (task->end == END_THROWS && task->result.text)
        text_add(text, "    [Throws: %s] %s.get;\n", task->result.text, task->variable);
    else if (!task->result.text || strcmp(task->result.text, "Unit") == 0)
        text_add(text, "    %s.get;\n", task->variable);
    else
        text_add(text, "    %s %sResult = %s.get;\n    assert %sResult == %s;\n", task->type, task->variable,
                 task->variable, task->variable, task->result.text);
}

static void add_end(const TestCase *test, Text *text)
{
    for (uint32_t i = 0; i < test->tasks.count; i++)
        add_result(&test->tasks.items[i], text);
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        for (uint32_t f = 0; f < object->fields.count; f++)
            if (object->fields.items[f].after.text)
                text_add(text, "    [Of: %s] assert this.%s == %s;\n", object->variable, object->fields.items[f].name,
                         object->fields.items[f].after.text);
        if (object->dead)
            text_add(text, "    [Dead: %s] skip;\n", object->variable);
    }
}

void emit_abs(const TestCase *test, const EmitNames *names, Text *text)
{
    add_header(test, names, text);
    text_add_string(text, "{\n");
    add_objects(test, text);
    add_tasks(test, text);
    text_add_string(text, "    // the end\n");
    add_names(test, text);
    add_end(test, text);
    text_add_string(text, "}\n");
}
