/* arguments.c - see arguments.h */
#include "cgen/arguments_internal.h"

#include <stdlib.h>
#include <string.h>

#include "cgen/length.h"

/* ---- Helpers ------------------------------------------------------------------------------- */

bool arguments_refuse(ArgumentWriter *w, const char *name, const char *what)
{
    Text path = {0};
    bool own = !debuginfo_file(w->info, w->place, &path) || strcmp(text_borrow(&path), w->options->source) == 0;
    error_set(w->error, EXIT_USAGE, "%s:%lld: %s is %s: not supported",
              own ? w->options->shown : text_borrow(&path), debuginfo_number(w->info, w->place, "line", 0), name, what);
    text_release(&path);
    return false;
}

static void release_blocks(ArgumentBlockList *blocks)
{
    for (uint32_t i = 0; i < blocks->count; i++) {
        free(blocks->items[i].variable);
        free(blocks->items[i].name);
    }
    VEC_FREE(blocks);
}

void arguments_release(ArgumentWriter *w)
{
    text_release(&w->call);
    text_release(&w->notes);
    release_blocks(&w->blocks);
}

/* ---- Parameters ---------------------------------------------------------------------------------------- */

/* With --alias a pointer may equal an earlier one to the same type. */
static uint32_t begin_aliases(ArgumentWriter *w, uint32_t nth, const char *name, int base, bool *done)
{
    uint32_t choices = 0;
    int other;
    for (uint32_t i = 1; w->options->alias && i < nth && !*done && ctype_parameter(w->info, w->function, i, &other);
         i++) {
        Text other_name = {0}, choice = {0};
        bool same =
            ctype_kind(w->info, other) == CTYPE_POINTER &&
            ctype_strip(w->info, ctype_base(w->info, ctype_strip(w->info, other))) == ctype_strip(w->info, base) &&
            !length_find(w->info, w->function, i);
        ctype_parameter_name(w->info, w->function, i, &other_name);
        text_add(&choice, "%s==%s", name, other_name.data);
        if (same && arguments_begin_choice(w, name, choice.data, other_name.data))
            choices++;
        else
            *done = same;
        text_release(&other_name);
        text_release(&choice);
    }
    return choices;
}

static bool add_pointer_parameter(ArgumentWriter *w, uint32_t nth, const char *name, int type)
{
    int base = ctype_base(w->info, ctype_strip(w->info, type));
    uint32_t of = w->options->no_pairs ? 0 : length_find(w->info, w->function, nth), choices = 0;
    Text length = {0}, choice = {0}, declared = {0};
    if (of)
        ctype_parameter_name(w->info, w->function, of, &length);
    bool good = arguments_check_pointee(w, name, base, of ? length.data : NULL), done = false;
    Extent extent = arguments_measure(w, base, of ? length.data : NULL);
    bool branches = w->options->null || w->options->alias || of;
    arguments_declare_pointer(w, base, name, &declared);
    if (branches)
        text_add_line(w->text, w->indent, "%s;", declared.data);
    text_add(&choice, "%s==NULL", name);
    if (good && w->options->null && !of) {
        done = !arguments_begin_choice(w, name, choice.data, "NULL");
        choices += !done;
    }
    if (good && !done && !of)
        choices += begin_aliases(w, nth, name, base, &done);
    if (good && !done) {
        w->pointers++;
        good = arguments_add_block(w, branches ? name : declared.data, name, name, &extent);
        w->pointers--;
        arguments_note_block(w, name, name, base, &extent);
    }
    arguments_end_choices(w, choices);
    text_release(&length);
    text_release(&choice);
    text_release(&declared);
    return good;
}

/* The length of the memory behind the pointer parameter before it. */
static void add_length(ArgumentWriter *w, uint32_t pointer, const char *name, int type)
{
    int pointer_type;
    Text pointer_name = {0};
    ctype_parameter(w->info, w->function, pointer, &pointer_type);
    ctype_parameter_name(w->info, w->function, pointer, &pointer_name);
    Extent extent = arguments_measure(w, ctype_base(w->info, ctype_strip(w->info, pointer_type)), name);
    if (!w->given && ctype_is_signed(w->info, type))
        text_add_line(w->text, w->indent, "sennit_assume((%s >= 0) & (%s <= %u));", name, name, extent.most);
    else if (!w->given)
        text_add_line(w->text, w->indent, "sennit_assume(%s <= %u);", name, extent.most);
    text_add(&w->notes, "%s points to %s %s, at most %u (--no-pairs: treat them as independent)\n",
             pointer_name.data, name, extent.base == DEBUG_NONE ? "bytes" : "elements", extent.most);
    text_release(&pointer_name);
}

static bool add_parameter(ArgumentWriter *w, uint32_t nth, int type)
{
    Text name = {0}, declared = {0};
    int variable = debuginfo_find_parameter(w->info, w->function, nth);
    CKind kind = ctype_kind(w->info, type);
    bool good;
    ctype_parameter_name(w->info, w->function, nth, &name);
    w->place = variable == DEBUG_NONE ? w->function : variable;
    ctype_spell(w->info, type, &declared);
    text_add_string(&declared, name.data);
    if (kind == CTYPE_POINTER) {
        good = add_pointer_parameter(w, nth, name.data, type);
    } else if (kind == CTYPE_NUMBER || kind == CTYPE_BOOL || kind == CTYPE_FLOAT) {
        good = arguments_add_number(w, declared.data, name.data, type);
        uint32_t pointer = w->options->no_pairs ? 0 : length_of(w->info, w->function, nth);
        if (pointer)
            add_length(w, pointer, name.data, type);
    } else {
        text_add_line(w->text, w->indent, "%s;", declared.data);
        good = arguments_add_value(w, name.data, name.data, type);
    }
    text_release(&name);
    text_release(&declared);
    return good;
}

/* A length is written before the pointer it belongs to. */
static bool add_in_order(ArgumentWriter *w, uint32_t nth, int type)
{
    int next;
    uint32_t length = w->options->no_pairs ? 0 : length_find(w->info, w->function, nth);
    if (!w->options->no_pairs && length_of(w->info, w->function, nth))
        return true; /* done already */
    if (length && ctype_parameter(w->info, w->function, length, &next) && !add_parameter(w, length, next))
        return false;
    return add_parameter(w, nth, type);
}

/* "text, (void *)names": pointers to pointers may differ in qualifiers, which C rejects. */
static void add_to_call(ArgumentWriter *w, uint32_t nth, int type)
{
    Text name = {0};
    CKind base = ctype_kind(w->info, type) == CTYPE_POINTER
                     ? ctype_kind(w->info, ctype_base(w->info, ctype_strip(w->info, type)))
                     : CTYPE_NUMBER;
    ctype_parameter_name(w->info, w->function, nth, &name);
    text_add(&w->call, "%s%s%s", nth > 1 ? ", " : "", base == CTYPE_POINTER || base == CTYPE_ARRAY ? "(void *)" : "",
             name.data);
    text_release(&name);
}

bool arguments_write(ArgumentWriter *w)
{
    int type;
    bool good = true;
    for (uint32_t nth = 1; good && ctype_parameter(w->info, w->function, nth, &type); nth++) {
        w->place = w->function;
        good = type == DEBUG_NONE ? arguments_refuse(w, w->options->function, "a function with variable arguments")
                                  : add_in_order(w, nth, type);
        if (good)
            add_to_call(w, nth, type);
    }
    return good;
}
