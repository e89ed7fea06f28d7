/* arguments_block.c - see arguments_internal.h: the memory behind pointers */
#include "cgen/arguments_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_POINTERS = 3, MOST_UNROLLED = 64, ELEMENTS = 1, PAIRED_ELEMENTS = 3 };

static uint32_t elements_of(const ArgumentWriter *w, bool paired)
{
    return w->options->elements ? w->options->elements : paired ? PAIRED_ELEMENTS : ELEMENTS;
}

Extent arguments_measure(const ArgumentWriter *w, int base, const char *length)
{
    bool character = ctype_is_char(w->info, base),
         bytes = character || ctype_kind(w->info, base) == CTYPE_VOID || ctype_is_byte(w->info, base);
    Extent extent = {
        .base = bytes ? DEBUG_NONE : base, .string = character && !length, .length = length, .open = DEBUG_NONE};
    extent.most = character ? w->options->string : elements_of(w, length != NULL);
    extent.open = bytes ? DEBUG_NONE : ctype_flexible_member(w->info, base);
    if (extent.open != DEBUG_NONE)
        extent.most = 1;
    return extent;
}

/* Memory for `count` (an expression) elements; `declared` is the variable, perhaps with its type. In a test it is
 * zeroed, so that bytes the test does not specify are the same in every run. */
static void add_malloc(ArgumentWriter *w, const char *declared, const char *variable, const Extent *extent,
                       const char *count)
{
    Text member = {0}, size = {0};
    if (extent->open != DEBUG_NONE && debuginfo_string(w->info, extent->open, "name", &member))
        text_add(&size, "sizeof *%s + %u * sizeof %s->%s[0]", variable, elements_of(w, false), variable, member.data);
    else if (extent->base == DEBUG_NONE)
        text_add(&size, "%s%s", count, extent->string ? " + 1" : "");
    else
        text_add(&size, "%s * sizeof *%s", count, variable);
    text_add_line(w->text, w->indent, w->given ? "%s = calloc(1, %s);" : "%s = malloc(%s);", declared, size.data);
    text_release(&member);
    text_release(&size);
}

static bool add_open_member(ArgumentWriter *w, const char *variable, const char *name, int open)
{
    Text member = {0}, target = {0}, path = {0}, size = {0};
    int base = ctype_base(w->info, ctype_strip(w->info, ctype_base(w->info, open)));
    uint32_t count = elements_of(w, false);
    bool good = true;
    debuginfo_string(w->info, open, "name", &member);
    text_add(&target, "%s->%s", variable, text_borrow(&member));
    text_add(&path, "%s[0].%s", name, text_borrow(&member));
    text_add(&size, "%u", count);
    if (ctype_is_byte(w->info, base))
        arguments_add_bytes(w, target.data, size.data, path.data);
    else
        for (uint32_t i = 0; good && i < count; i++)
            good = arguments_add_element(w, target.data, path.data, i, base, DEBUG_NONE, 0);
    text_release(&member);
    text_release(&target);
    text_release(&path);
    text_release(&size);
    return good;
}

/* Fills the elements; with a symbolic length each one under the condition that it exists. */
static bool fill_elements(ArgumentWriter *w, const char *variable, const char *name, const Extent *extent,
                          uint32_t count)
{
    bool guarded = extent->length && !w->given, good = true;
    if (count > MOST_UNROLLED)
        return arguments_refuse(w, name, "an array of more than 64 elements");
    for (uint32_t i = 0; good && i < count; i++) {
        if (guarded) {
            text_add_line(w->text, w->indent, "if (%s > %u) {", extent->length, i);
            w->indent += 4;
        }
        good = arguments_add_element(w, variable, name, i, extent->base, DEBUG_NONE, 0);
        if (guarded) {
            w->indent -= 4;
            text_add_line(w->text, w->indent, "}");
        }
    }
    return good && (extent->open == DEBUG_NONE || add_open_member(w, variable, name, extent->open));
}

/* A block whose size is an input: each size is a path of its own, with a block of exactly that size. */
static bool add_sized_block(ArgumentWriter *w, const char *variable, const char *name, const Extent *extent)
{
    text_add_line(w->text, w->indent, "%s = NULL;", variable);
    text_add_line(w->text, w->indent, "for (unsigned i = 0; i <= %u; i++)", extent->most);
    text_add_line(w->text, w->indent, "    if (%s == i) {", extent->length);
    w->indent += 8;
    add_malloc(w, variable, variable, extent, "i");
    if (extent->base == DEBUG_NONE) {
        text_add_line(w->text, w->indent, "if (i > 0)");
        w->indent += 4;
        arguments_add_bytes(w, variable, "i", name);
        w->indent -= 4;
    }
    w->indent -= 8;
    text_add_line(w->text, w->indent, "    }");
    return extent->base == DEBUG_NONE || fill_elements(w, variable, name, extent, extent->most);
}

static void note_bounds(ArgumentWriter *w, const Extent *extent)
{
    ArgumentBounds *bounds = &w->bounds;
    bounds->blocks++;
    bounds->inner |= w->pointers > 1;
    if (extent->length)
        bounds->length = extent->most > bounds->length ? extent->most : bounds->length;
    else if (extent->string)
        bounds->strings = true;
    else
        bounds->elements = true;
}

bool arguments_add_block(ArgumentWriter *w, const char *declared, const char *variable, const char *name,
                         const Extent *extent)
{
    const char *length = extent->length && w->given ? arguments_value(w->given, extent->length) : NULL;
    uint32_t count = length ? (uint32_t)strtoul(length, NULL, 10) : extent->most;
    Text size = {0};
    bool good = true;
    note_bounds(w, extent);
    if (extent->length && !w->given)
        return add_sized_block(w, variable, name, extent);
    text_add(&size, "%u", count);
    add_malloc(w, declared, variable, extent, size.data);
    if (extent->base == DEBUG_NONE && count > 0)
        arguments_add_bytes(w, variable, size.data, name);
    if (extent->string)
        text_add_line(w->text, w->indent, "%s[%u] = 0;", variable, count);
    if (extent->base != DEBUG_NONE)
        good = fill_elements(w, variable, name, extent, count);
    text_release(&size);
    return good;
}

static void add_phrase(Text *out, const char *phrase)
{
    text_add(out, "%s%s", out->length ? ", " : "arguments with ", phrase);
}

static void add_count(Text *out, const char *before, uint32_t count, const char *what, const char *after)
{
    Text phrase = {0};
    text_add(&phrase, "%s%u %s%s%s", before, count, what, count == 1 ? "" : "s", after);
    add_phrase(out, phrase.data);
    text_release(&phrase);
}

void arguments_write_bounds(const ArgumentWriter *w, Text *out)
{
    const ArgumentBounds *bounds = &w->bounds;
    if (bounds->elements)
        add_count(out, "", elements_of(w, false), "element", " behind a pointer");
    if (bounds->length)
        add_count(out, "at most ", bounds->length, "element", " behind a pointer with a length");
    if (bounds->strings)
        add_count(out, "at most ", w->options->string, "character", " in a string");
    if (bounds->depth)
        add_count(out, "at most ", bounds->depth, "pointer", " in a row");
    if (bounds->inner)
        add_phrase(out, "no cycle");
    if (bounds->blocks && (!w->options->null || bounds->length))
        add_phrase(out, w->options->null ? "no NULL with a length" : "no NULL");
    if (bounds->blocks > 1 && (!w->options->alias || bounds->inner))
        add_phrase(out, w->options->alias ? "no shared memory behind pointers in memory"
                                          : "no two pointers to the same memory");
    if (bounds->enumerators)
        add_phrase(out, "only the enumerators of enumerations");
}

void arguments_note_block(ArgumentWriter *w, const char *variable, const char *name, int base, const Extent *extent)
{
    const char *length = extent->length && w->given ? arguments_value(w->given, extent->length) : NULL;
    if (!w->given)
        return;
    ArgumentBlock block = {.variable = mem_copy_string(variable),
                   .name = mem_copy_string(name),
                   .base = extent->base,
                   .count = length ? (uint32_t)strtoul(length, NULL, 10) : extent->most + extent->string,
                   .flexible = extent->open == DEBUG_NONE ? 0 : elements_of(w, false),
                   .fixed = ctype_is_const(w->info, base)};
    VEC_PUSH(&w->blocks, block);
}

/* "token[0].next" -> "token_0_next" */
static void make_variable(const char *name, Text *variable)
{
    for (const char *c = name; *c; c++)
        if (isalnum((unsigned char)*c) || *c == '_')
            text_add(variable, "%c", *c);
        else if (*c != ']')
            text_add_string(variable, "_");
}

void arguments_declare_pointer(const ArgumentWriter *w, int base, const char *variable, Text *declared)
{
    if (ctype_kind(w->info, base) == CTYPE_VOID)
        text_add_string(declared, "char ");
    else
        ctype_spell(w->info, base, declared);
    text_add(declared, "*%s", variable);
}

/* A pointer inside another object gets a variable that still refers to the block if the function changes the pointer.
 */
static bool add_inner_block(ArgumentWriter *w, const char *target, const char *name, int base, const Extent *extent)
{
    Text variable = {0}, declared = {0};
    make_variable(name, &variable);
    arguments_declare_pointer(w, base, variable.data, &declared);
    bool good = arguments_add_block(w, declared.data, variable.data, name, extent);
    text_add_line(w->text, w->indent, "%s = (void *)%s;", target, variable.data);
    arguments_note_block(w, variable.data, name, base, extent);
    text_release(&variable);
    text_release(&declared);
    return good;
}

static bool is_chosen(const ArgumentWriter *w, const char *name)
{
    const char *value = arguments_value(w->given, name);
    return value && strcmp(value, "0") != 0;
}


bool arguments_begin_choice(ArgumentWriter *w, const char *target, const char *choice, const char *otherwise)
{
    if (w->given && is_chosen(w, choice)) {
        text_add_line(w->text, w->indent, "%s = %s;", target, otherwise);
        return false;
    }
    if (!w->given) {
        text_add_line(w->text, w->indent, "if (sennit_bool(\"%s\")) {", choice);
        text_add_line(w->text, w->indent, "    %s = %s;", target, otherwise);
        text_add_line(w->text, w->indent, "} else {");
        w->indent += 4;
    }
    return true;
}

void arguments_end_choices(ArgumentWriter *w, uint32_t count)
{
    for (; !w->given && count > 0; count--) {
        w->indent -= 4;
        text_add_line(w->text, w->indent, "}");
    }
}

bool arguments_check_pointee(ArgumentWriter *w, const char *name, int base, const char *length)
{
    switch (ctype_kind(w->info, base)) {
    case CTYPE_FUNCTION: return arguments_refuse(w, name, "a pointer to a function");
    case CTYPE_INCOMPLETE: return arguments_refuse(w, name, "a pointer to an incomplete type");
    case CTYPE_VOID:
        return length ||
               arguments_refuse(w, name, "a void * without a length parameter after it");
    default: return true;
    }
}

bool arguments_add_pointer(ArgumentWriter *w, const char *target, const char *name, int type)
{
    int base = ctype_base(w->info, ctype_strip(w->info, type));
    Extent extent = arguments_measure(w, base, NULL);
    Text choice = {0};
    if (!arguments_check_pointee(w, name, base, NULL))
        return false;
    if (w->pointers == MOST_POINTERS) {
        w->bounds.depth = MOST_POINTERS;
        text_add_line(w->text, w->indent, "%s = NULL;", target);
        return true;
    }
    text_add(&choice, "%s==NULL", name);
    bool good = true, there = !w->options->null || arguments_begin_choice(w, target, choice.data, "NULL");
    if (there) {
        if (!w->options->null && !w->given)
            text_add_line(w->text, w->indent, "{");
        w->indent += !w->options->null && !w->given ? 4 : 0;
        w->pointers++;
        good = add_inner_block(w, target, name, base, &extent);
        w->pointers--;
        arguments_end_choices(w, 1);
    }
    text_release(&choice);
    return good;
}

