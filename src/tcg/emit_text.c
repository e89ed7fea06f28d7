/* emit_text.c - see emit.h: tests as text for readers */
#include "tcg/emit.h"

static const char *const END_WORDS[] = {"returns", "throws", "does not end"};

static void add_start(const TestCase *test, Text *text)
{
    text_add_string(text, "  start\n");
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        if (object->creator)
            continue;
        text_add(text, "    %s:", object->name);
        for (uint32_t f = 0; f < object->fields.count; f++)
            text_add(text, "%s %s = %s", f ? "," : "", object->fields.items[f].name,
                     object->fields.items[f].before.shown);
        text_add_string(text, "\n");
    }
    for (uint32_t i = 0; i < test->tasks.count; i++) {
        const TestTask *task = &test->tasks.items[i];
        text_add(text, "    %s ! %s(", test->objects.items[task->object].name, task->method);
        for (uint32_t a = 0; a < task->arguments.count; a++)
            text_add(text, "%s%s = %s", a ? ", " : "", task->arguments.items[a].name,
                     task->arguments.items[a].before.shown);
        text_add_string(text, ")\n");
    }
}

/* A test with concrete values needs no condition; nor do constraints on structure that is shown. */
static void add_constraints(const TestCase *test, TestFormat format, Text *text)
{
    const char *title = "  path condition\n";
    for (uint32_t i = 0; i < test->constraints.count; i++) {
        const TestConstraint *constraint = &test->constraints.items[i];
        if (format == FORMAT_CONCRETE || (format == FORMAT_HYBRID && !constraint->numeric))
            continue;
        text_add(text, "%s    %s\n", title, constraint->text);
        title = "";
    }
}

/* The first step, which creates the objects and tasks, is left out. */
static void add_steps(const TestCase *test, Text *text)
{
    text_add_string(text, "  schedule\n");
    for (uint32_t i = 1; i < test->steps.count; i++)
        text_add(text, "    %u %s line %u\n", i, test->steps.items[i].name, test->steps.items[i].line);
}

static void add_end(const TestCase *test, Text *text)
{
    text_add_string(text, "  end\n");
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        if (object->number == UINT32_MAX)
            continue;
        text_add(text, "    %s:%s", object->name, object->dead ? " (dead)" : "");
        for (uint32_t f = 0; f < object->fields.count; f++)
            text_add(text, "%s %s = %s", f ? "," : "", object->fields.items[f].name,
                     object->fields.items[f].after.shown);
        text_add_string(text, "\n");
    }
    for (uint32_t i = 0; i < test->tasks.count; i++) {
        const TestTask *task = &test->tasks.items[i];
        text_add(text, "    %s %s%s%s\n", task->name, END_WORDS[task->end], task->end == END_NEVER ? "" : " ",
                 task->end == END_NEVER ? "" : task->result.shown);
    }
}

void emit_text(const TestCase *test, TestFormat format, uint32_t number, Text *text)
{
    text_add(text, "\ntest %u: %s\n", number + 1, test->outcome);
    add_start(test, text);
    add_constraints(test, format, text);
    add_steps(test, text);
    add_end(test, text);
    if (test->drawing)
        text_add(text, "\n%s", test->drawing);
}
