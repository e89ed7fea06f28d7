/* results.c - see results.h */
#include "cgen/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgen/ctype.h"

enum { MOST_POINTERS = 2 }; /* dereferenced into memory that the function allocated */

static void add_value(ResultWriter *w, const char *target, const char *name, int type);

/* ---- Helpers ---------------------------------------------------------------------------- */

/* The recorded value, or NULL: then nothing is expected. */
static const char *find_note(const ResultWriter *w, const char *name)
{
    for (uint32_t i = 0; i < w->notes->count; i++)
        if (strcmp(w->notes->items[i].name, name) == 0)
            return w->notes->items[i].value;
    return NULL;
}

/* ---- Values without parts ------------------------------------------------------------------ */

/* One line: records the value, or compares it with the recorded one. */
static void add_number(ResultWriter *w, const char *target, const char *name, int type)
{
    bool large =
        ctype_kind(w->info, type) == CTYPE_NUMBER && !ctype_is_signed(w->info, type) && ctype_size(w->info, type) == 8;
    const char *kind = ctype_kind(w->info, type) == CTYPE_FLOAT ? "_float" : large ? "_unsigned" : "";
    const char *value = w->notes ? find_note(w, name) : NULL;
    Text literal = {0};
    if (!w->notes) {
        text_add_line(w->text, w->indent, "sennit_note%s(\"%s\", %s);", kind, name, target);
    } else if (value) {
        if (*kind == '_' && kind[1] == 'f')
            text_add_string(&literal, strstr(value, "nan")         ? "__builtin_nan(\"\")"
                                      : strcmp(value, "inf") == 0  ? "__builtin_inf()"
                                      : strcmp(value, "-inf") == 0 ? "-__builtin_inf()"
                                                                   : value);
        else
            arguments_write_number(value, &literal);
        text_add_line(w->text, w->indent, "sennit_expect%s(\"%s\", %s, %s);", kind, name, target,
                      text_borrow(&literal));
    }
    text_release(&literal);
}

static void add_bytes(ResultWriter *w, const char *target, const char *size, const char *name)
{
    const char *value = w->notes ? find_note(w, name) : NULL;
    Text literal = {0};
    if (!w->notes)
        text_add_line(w->text, w->indent, "sennit_note_bytes(\"%s\", %s, %s);", name, target, size);
    else if (value) {
        uint32_t count = arguments_write_bytes(value, &literal);
        text_add_line(w->text, w->indent, "sennit_expect_bytes(\"%s\", %s, %s, %u);", name, target, literal.data,
                      count);
    }
    text_release(&literal);
}

/* ---- Structures and arrays ------------------------------------------------------------------- */

static void add_members(ResultWriter *w, const char *target, const char *name, int type)
{
    int member, open = ctype_flexible_member(w->info, type);
    Text inner = {0}, inner_name = {0}, word = {0};
    for (uint32_t i = 0; ctype_member(w->info, type, i, &member); i++) {
        if (member == open)
            continue;
        debuginfo_string(w->info, member, "name", &word);
        text_reset(&inner);
        text_reset(&inner_name);
        text_add(&inner, word.length ? "%s.%s" : "%s%s", target, text_borrow(&word));
        text_add(&inner_name, word.length ? "%s.%s" : "%s%s", name, text_borrow(&word));
        add_value(w, inner.data, inner_name.data, ctype_base(w->info, member));
    }
    text_release(&inner);
    text_release(&inner_name);
    text_release(&word);
}

static void add_dimension(ResultWriter *w, const char *target, const char *name, int array, uint32_t level)
{
    long long count = 0, next;
    int base = ctype_base(w->info, array);
    ctype_dimension(w->info, array, level, &count);
    bool last = !ctype_dimension(w->info, array, level + 1, &next);
    Text inner = {0}, inner_name = {0};
    if (last && ctype_is_byte(w->info, base)) {
        text_add(&inner, "sizeof %s", target);
        add_bytes(w, target, inner.data, name);
        count = 0;
    }
    for (long long i = 0; i < count; i++) {
        text_reset(&inner);
        text_reset(&inner_name);
        text_add(&inner, "%s[%lld]", target, i);
        text_add(&inner_name, "%s[%lld]", name, i);
        if (last)
            add_value(w, inner.data, inner_name.data, base);
        else
            add_dimension(w, inner.data, inner_name.data, array, level + 1);
    }
    text_release(&inner);
    text_release(&inner_name);
}

static void add_union(ResultWriter *w, const char *target, const char *name)
{
    Text address = {0}, size = {0};
    text_add(&address, "&%s", target);
    text_add(&size, "sizeof %s", target);
    add_bytes(w, address.data, size.data, name);
    text_release(&address);
    text_release(&size);
}

/* ---- Pointers --------------------------------------------------------------------------------- */

/* What a pointer to memory that the function was not given points to: a string, or one element. */
static void add_pointee(ResultWriter *w, const char *target, const char *name, int base)
{
    CKind kind = ctype_kind(w->info, base);
    Text inner = {0}, inner_name = {0};
    text_add(&inner_name, "*%s", name);
    text_add(&inner, "(*%s)", target);
    if (ctype_is_char(w->info, base)) {
        const char *value = w->notes ? find_note(w, inner_name.data) : NULL;
        Text literal = {0};
        if (!w->notes)
            text_add_line(w->text, w->indent, "sennit_note_string(\"%s\", %s);", inner_name.data, target);
        else if (value) {
            arguments_write_bytes(value, &literal);
            text_add_line(w->text, w->indent, "sennit_expect_string(\"%s\", %s, %s);", inner_name.data, target,
                          literal.data);
        }
        text_release(&literal);
    } else if (kind != CTYPE_VOID && kind != CTYPE_FUNCTION && kind != CTYPE_INCOMPLETE &&
               w->pointers < MOST_POINTERS) {
        w->pointers++;
        add_value(w, inner.data, inner_name.data, base);
        w->pointers--;
    }
    text_release(&inner);
    text_release(&inner_name);
}

static void add_pointer(ResultWriter *w, const char *target, const char *name, int type)
{
    int base = ctype_base(w->info, ctype_strip(w->info, type));
    const char *value = w->notes ? find_note(w, name) : NULL;
    unsigned block, offset;
    if (ctype_kind(w->info, base) == CTYPE_FUNCTION)
        return;
    if (!w->notes) {
        text_add_line(w->text, w->indent, "if (sennit_note_pointer(\"%s\", %s)) {", name, target);
        w->indent += 4;
        add_pointee(w, target, name, base);
        w->indent -= 4;
        text_add_line(w->text, w->indent, "}");
    } else if (value && strcmp(value, "null") == 0) {
        text_add_line(w->text, w->indent, "sennit_expect_pointer(\"%s\", %s, NULL);", name, target);
    } else if (value && sscanf(value, "block %u %u", &block, &offset) == 2 && block < w->blocks->count) {
        text_add_line(w->text, w->indent,
                      offset ? "sennit_expect_pointer(\"%s\", %s, (char *)%s + %u);"
                             : "sennit_expect_pointer(\"%s\", %s, %s);",
                      name, target, w->blocks->items[block].variable, offset);
    } else if (value) {
        text_add_line(w->text, w->indent, "sennit_expect_some(\"%s\", %s);", name, target);
        add_pointee(w, target, name, base);
    }
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static void add_value(ResultWriter *w, const char *target, const char *name, int type)
{
    switch (ctype_kind(w->info, type)) {
    case CTYPE_NUMBER:
    case CTYPE_BOOL:
    case CTYPE_FLOAT:
    case CTYPE_ENUM: add_number(w, target, name, type); break;
    case CTYPE_STRUCT: add_members(w, target, name, type); break;
    case CTYPE_UNION: add_union(w, target, name); break;
    case CTYPE_ARRAY: add_dimension(w, target, name, ctype_strip(w->info, type), 0); break;
    case CTYPE_POINTER: add_pointer(w, target, name, type); break;
    default: break; /* the others are not compared */
    }
}

void results_write_returned(ResultWriter *w, const char *variable, int type)
{
    add_value(w, variable, "the result", type);
}

static void add_flexible(ResultWriter *w, const ArgumentBlock *block)
{
    Text member = {0}, target = {0}, name = {0}, size = {0};
    int open = ctype_flexible_member(w->info, block->base),
        base = ctype_base(w->info, ctype_strip(w->info, ctype_base(w->info, open)));
    debuginfo_string(w->info, open, "name", &member);
    text_add(&size, "%u", block->flexible);
    for (uint32_t i = 0; i < block->flexible; i++) {
        bool bytes = ctype_is_byte(w->info, base);
        text_reset(&target);
        text_reset(&name);
        text_add(&target, bytes ? "%s->%s" : "%s->%s[%u]", block->variable, text_borrow(&member), i);
        text_add(&name, bytes ? "%s[0].%s" : "%s[0].%s[%u]", block->name, text_borrow(&member), i);
        if (bytes) {
            add_bytes(w, target.data, size.data, name.data);
            break;
        }
        add_value(w, target.data, name.data, base);
    }
    text_release(&member);
    text_release(&target);
    text_release(&name);
    text_release(&size);
}

static void add_contents(ResultWriter *w, const ArgumentBlock *block)
{
    Text target = {0}, name = {0};
    if (block->base == DEBUG_NONE) {
        text_add(&target, "%u", block->count);
        add_bytes(w, block->variable, target.data, block->name);
    }
    for (uint32_t i = 0; block->base != DEBUG_NONE && i < block->count; i++) {
        text_reset(&target);
        text_reset(&name);
        text_add(&target, "%s[%u]", block->variable, i);
        text_add(&name, "%s[%u]", block->name, i);
        add_value(w, target.data, name.data, block->base);
    }
    if (block->flexible)
        add_flexible(w, block);
    text_release(&target);
    text_release(&name);
}

void results_write_blocks(ResultWriter *w)
{
    Text freed = {0};
    for (uint32_t i = 0; i < w->blocks->count; i++) {
        const ArgumentBlock *block = &w->blocks->items[i];
        text_reset(&freed);
        text_add(&freed, "%s freed", block->name);
        const char *value = w->notes ? find_note(w, freed.data) : NULL;
        if (!w->notes) {
            text_add_line(w->text, w->indent, "if (!sennit_note_freed(\"%s\", %s)) {", freed.data, block->variable);
            w->indent += 4;
        }
        if (value)
            text_add_line(w->text, w->indent, "sennit_expect_freed(\"%s\", %s);", block->name, block->variable);
        else if (!block->fixed)
            add_contents(w, block);
        if (!w->notes) {
            w->indent -= 4;
            text_add_line(w->text, w->indent, "}");
        }
    }
    text_release(&freed);
}
