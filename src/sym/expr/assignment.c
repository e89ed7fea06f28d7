/* assignment.c - see assignment.h */
#include "sym/expr/assignment.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sym/expr/print.h"

static void reserve(Assignment *assignment, uint32_t count)
{
    if (count <= assignment->room)
        return;
    uint32_t room = assignment->room ? assignment->room : 16;
    while (room < count)
        room *= 2;
    assignment->values = mem_resize(assignment->values, room * sizeof *assignment->values);
    assignment->defined = mem_resize(assignment->defined, room * sizeof *assignment->defined);
    assignment->room = room;
}

static void extend(Assignment *assignment, uint32_t count)
{
    if (count <= assignment->count)
        return;
    reserve(assignment, count);
    memset(assignment->defined + assignment->count, 0, (count - assignment->count) * sizeof *assignment->defined);
    assignment->count = count;
}

void assignment_release(Assignment *assignment)
{
    free(assignment->values);
    free(assignment->defined);
    *assignment = (Assignment){0};
}

void assignment_reset(Assignment *assignment)
{
    assignment->count = 0;
}

void assignment_copy(Assignment *to, const Assignment *from)
{
    if (to == from)
        return;
    reserve(to, from->count);
    to->count = from->count;
    if (from->count == 0)
        return;
    memcpy(to->values, from->values, from->count * sizeof *to->values);
    memcpy(to->defined, from->defined, from->count * sizeof *to->defined);
}

void assignment_overlay(Assignment *assignment, const Assignment *over)
{
    extend(assignment, over->count);
    for (uint32_t i = 0; i < over->count; i++) {
        if (!over->defined[i])
            continue;
        assignment->values[i] = over->values[i];
        assignment->defined[i] = true;
    }
}

void assignment_set(Assignment *assignment, InputId input, Bits value)
{
    extend(assignment, input.index + 1);
    assignment->values[input.index] = value;
    assignment->defined[input.index] = true;
}

void assignment_print(const Assignment *assignment, const ExprPool *pool, Text *text)
{
    const char *separator = "";
    for (uint32_t i = 0; i < assignment->count; i++) {
        if (!assignment->defined[i])
            continue;
        text_add_string(text, separator);
        print_input(pool, (InputId){i}, text);
        text_add_string(text, "=");
        print_value(assignment->values[i], input_get(pool->inputs, (InputId){i})->sort, text);
        separator = ", ";
    }
}
