/* start.c - see start.h */
#include "abs/run/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "abs/run/unknown.h"
#include "base/mem.h"

enum { MOST_PARAMETERS = 256 };

/* ---- Describing ------------------------------------------------------------------- */

StartState *start_create(Model *model)
{
    StartState *start = mem_alloc(sizeof *start);
    types_init(&start->types, model);
    return start;
}

void start_destroy(StartState *start)
{
    if (!start)
        return;
    VEC_FREE(&start->objects);
    VEC_FREE(&start->tasks);
    arena_release(&start->arena);
    free(start);
}

uint32_t start_add_object(StartState *start, const ClassCode *class)
{
    char path[256];
    uint32_t nth = 1;
    for (uint32_t i = 0; i < start->objects.count; i++)
        nth += start->objects.items[i].class == class;
    snprintf(path, sizeof path, "%.100s_%u", class->name, nth);
    return start_add_named(start, class, path);
}

uint32_t start_add_named(StartState *start, const ClassCode *class, const char *path)
{
    VEC_PUSH(&start->objects, ((StartObject){class, arena_copy(&start->arena, path, strlen(path))}));
    start->object_count = start->objects.count;
    return start->objects.count - 1;
}

uint32_t start_add_task(StartState *start, uint32_t object, const MethodDecl *method)
{
    char path[300], number[16] = "";
    uint32_t nth = 1;
    for (uint32_t i = 0; i < start->tasks.count; i++)
        nth += start->tasks.items[i].object == object && start->tasks.items[i].method == method;
    if (nth > 1)
        snprintf(number, sizeof number, "#%u", nth);
    int size =
        snprintf(path, sizeof path, "%s.%.100s%s", start->objects.items[object].path, method->sig.name.text, number);
    VEC_PUSH(&start->tasks, ((StartTask){object, method, arena_copy(&start->arena, path, (size_t)size)}));
    return start->tasks.count - 1;
}

const MethodDecl *start_find_method(const ClassDecl *class, const char *name)
{
    for (uint32_t i = 0; i < class->methods.count; i++)
        if (!class->methods.items[i]->hidden && strcmp(class->methods.items[i]->sig.name.text, name) == 0)
            return class->methods.items[i];
    return NULL;
}

const Field *start_find_field(const ClassDecl *class, const char *name)
{
    for (uint32_t i = 0; i < class->fields.count; i++)
        if (strcmp(class->fields.items[i]->name.text, name) == 0)
            return class->fields.items[i];
    return NULL;
}

/* ---- Running ------------------------------------------------------------------------- */

static bool add_task(Machine *machine, const StartTask *task, uint32_t object)
{
    char path[600];
    Value args[MOST_PARAMETERS];
    const MethodSig *sig = &task->method->sig;
    for (uint32_t i = 0; i < sig->params.count && i < MOST_PARAMETERS; i++) {
        snprintf(path, sizeof path, "%s.%.100s", task->path, sig->params.items[i].name.text);
        args[i] = unknown_make(machine, path, sig->types[i], VALUE_NONE);
    }
    return machine_add_task(machine, object, task->method->code, args, sig->params.count) != NULL;
}

void start_run(Machine *machine)
{
    const StartState *start = machine->start;
    ExprPool *pool = inputs_pool(machine->inputs);
    for (uint32_t i = 0; i < start->objects.count; i++)
        unknown_add_object(machine, start->objects.items[i].path, start->objects.items[i].class, expr_int(pool, i + 1));
    for (uint32_t i = 0; i < start->tasks.count && machine->starters.count == start->objects.count; i++)
        if (!add_task(machine, &start->tasks.items[i], machine->starters.items[start->tasks.items[i].object]))
            return;
}

Value start_object(Machine *machine, uint32_t nth)
{
    return value_object(unknown_object_number(machine, machine->start->objects.items[nth].path));
}

AgentId start_agent(const Machine *machine, uint32_t nth)
{
    return names_find_task(machine->names, 0, nth + 1);
}
