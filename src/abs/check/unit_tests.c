/* unit_tests.c - see unit_tests.h */
#include "abs/check/unit_tests.h"

#include <stdlib.h>
#include <string.h>

#include "abs/check/types.h"
#include "base/mem.h"

static const char MODULE[] = "SennitTest";

static bool has(const Annotations *annotations, const char *word)
{
    return annotation_find(annotations, word) != NULL;
}

/* ---- The main block ------------------------------------------------------------------------ */

static bool is_exported(const ModuleDecl *module, const char *name)
{
    for (uint32_t i = 0; i < module->exports.count; i++) {
        const Port *port = &module->exports.items[i];
        if (!port->from.text && port->names.count == 0)
            return true;
        for (uint32_t k = 0; k < port->names.count; k++)
            if (strcmp(name_last_part(port->names.items[k].text), name) == 0)
                return true;
    }
    return false;
}

static void begin_module(const Model *model, const ClassDecl *suite, const InterfaceDecl *type, Text *text)
{
    text_add(text, "module %s;\n", MODULE);
    for (uint32_t i = 0; i < model->modules.count; i++) {
        const ModuleDecl *module = model->modules.items[i];
        if (!model->sources.files.items[module->file].library && module->exports.count)
            text_add(text, "import * from %s;\n", module->name.text);
    }
    text_add(text, "{\n    %s suite = new %s();\n", type->decl.name.text, suite->decl.name.text);
}

/* A set or a list with elements of the type that the test takes. */
static bool gives(const MethodSig *points, const MethodSig *test)
{
    const Type *result = points->result;
    const char *name = result && result->kind == TYPE_DATA ? result->decl->name.text : "";
    return has(&points->annotations, "DataPoint") && points->params.count == 0 &&
           (strcmp(name, "Set") == 0 || strcmp(name, "List") == 0) && type_equal(result->args[0], test->types[0]);
}

static uint32_t add_points(const InterfaceDecl *interface, const MethodSig *test, uint32_t before, Text *text)
{
    uint32_t count = before;
    for (uint32_t i = 0; i < interface->methods.count; i++) {
        const MethodSig *points = interface->methods.items[i];
        if (!gives(points, test))
            continue;
        bool is_set = strcmp(points->result->decl->name.text, "Set") == 0;
        count++;
        text_add_string(text, "    ");
        type_print(points->result, false, text);
        text_add(text, " points%u = await suite!%s();\n", count, points->name.text);
        text_add(text, "    foreach (point%u in %spoints%u%s) { await suite!%s(point%u); }\n", count,
                 is_set ? "elements(" : "", count, is_set ? ")" : "", test->name.text, count);
    }
    return count;
}

static void write_main(const Model *model, const ClassDecl *suite, const InterfaceDecl *type, const MethodSig *test,
                       UnitTest *unit)
{
    Text text = {0};
    uint32_t points = 0;
    begin_module(model, suite, type, &text);
    if (test->params.count == 0)
        text_add(&text, "    await suite!%s();\n", test->name.text);
    else
        points = add_points(type, test, 0, &text);
    for (uint32_t i = 0; test->params.count && i < type->ancestors.count; i++)
        points = add_points(type->ancestors.items[i], test, points, &text);
    text_add_string(&text, "}\n");
    if (test->params.count && !points)
        unit->why = mem_copy_string("no method with [DataPoint] answers a set or a list of its parameter's type");
    else
        unit->main = mem_copy_string(text.data);
    text_release(&text);
}

/* ---- Finding them --------------------------------------------------------------------------- */

static void add_test(const Model *model, const ClassDecl *suite, const InterfaceDecl *type, const MethodSig *test,
                     UnitTests *tests)
{
    Text name = {0};
    UnitTest unit = {0};
    text_add(&name, "%s.%s", suite->decl.name.text, test->name.text);
    unit.name = name.data;
    if (suite->param_count)
        unit.why = mem_copy_string("a suite has no parameters");
    else if (test->params.count > 1)
        unit.why = mem_copy_string("a test has at most one parameter");
    else if (!is_exported(suite->decl.module, suite->decl.name.text) ||
             !is_exported(type->decl.module, type->decl.name.text))
        unit.why = mem_copy_string("its module does not export class and interface of the suite: export *;");
    else
        write_main(model, suite, type, test, &unit);
    VEC_PUSH(tests, unit);
}

static bool is_added(const UnitTests *tests, uint32_t first, const char *method)
{
    for (uint32_t i = first; i < tests->count; i++)
        if (strcmp(strrchr(tests->items[i].name, '.') + 1, method) == 0)
            return true;
    return false;
}

/* In the interface or in the class. */
static bool is_ignored(const ClassDecl *suite, const MethodSig *method)
{
    for (uint32_t i = 0; i < suite->methods.count; i++)
        if (suite->methods.items[i]->sig.name.text == method->name.text &&
            has(&suite->methods.items[i]->sig.annotations, "Ignored"))
            return true;
    return has(&method->annotations, "Ignored");
}

static void add_interface(const Model *model, const ClassDecl *suite, const InterfaceDecl *type,
                          const InterfaceDecl *declares, uint32_t first, UnitTests *tests)
{
    for (uint32_t i = 0; i < declares->methods.count; i++) {
        const MethodSig *method = declares->methods.items[i];
        bool wanted = has(&method->annotations, "Test") && !is_ignored(suite, method);
        if (wanted && !is_added(tests, first, method->name.text))
            add_test(model, suite, type, method, tests);
    }
}

void unit_tests_find(const Model *model, UnitTests *tests)
{
    for (uint32_t i = 0; i < model->classes.count; i++) {
        const ClassDecl *suite = model->classes.items[i];
        uint32_t first = tests->count;
        if (!has(&suite->decl.annotations, "Suite") || has(&suite->decl.annotations, "Ignored"))
            continue;
        for (uint32_t k = 0; k < suite->interfaces.count; k++) {
            const InterfaceDecl *type = suite->interfaces.items[k];
            add_interface(model, suite, type, type, first, tests);
            for (uint32_t a = 0; a < type->ancestors.count; a++)
                add_interface(model, suite, type, type->ancestors.items[a], first, tests);
        }
    }
}

void unit_tests_release(UnitTests *tests)
{
    for (uint32_t i = 0; i < tests->count; i++) {
        free(tests->items[i].name);
        free(tests->items[i].main);
        free(tests->items[i].why);
    }
    VEC_FREE(tests);
}
