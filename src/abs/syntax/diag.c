/* diag.c - see diag.h */
#include "abs/syntax/diag.h"

#include <stdlib.h>

enum { SHOWN_COLUMNS = 160 };

void diags_release(Diags *diags)
{
    for (uint32_t i = 0; i < diags->items.count; i++)
        free(diags->items.items[i].text);
    VEC_FREE(&diags->items);
    diags->errors = 0;
}

/* Diagnostics are added roughly in the order of the source, so comparing with the last ones suffices. */
static bool is_repeated(const Diags *diags, DiagKind kind, SrcPos pos)
{
    uint32_t count = diags->items.count;
    for (uint32_t i = count; i > 0 && count - i < 16; i--)
        if (diags->items.items[i - 1].pos == pos && diags->items.items[i - 1].kind == kind)
            return true;
    return false;
}

void diag_add_list(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, va_list args)
{
    if (is_repeated(diags, kind, pos))
        return;
    Text text = {0};
    text_add_list(&text, format, args);
    VEC_PUSH(&diags->items, ((Diag){kind, pos, length ? length : 1, text.data ? text.data : mem_copy_string("")}));
    diags->errors += kind != DIAG_WARNING;
}

void diag_add(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add_list(diags, kind, pos, length, format, args);
    va_end(args);
}

bool diags_prevent_run(const Diags *diags)
{
    for (uint32_t i = 0; i < diags->items.count; i++)
        if (diags->items.items[i].kind == DIAG_ERROR || diags->items.items[i].kind == DIAG_UNSUPPORTED)
            return true;
    return false;
}

static int compare_places(const void *a, const void *b)
{
    const Diag *x = a, *y = b;
    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

/* A tab stays a tab in the caret line, so that the columns align. */
static void add_caret_line(Text *text, const char *line, uint32_t column, uint32_t length)
{
    text_add_string(text, "       | ");
    for (uint32_t i = 0; i + 1 < column; i++)
        if (((unsigned char)line[i] & 0xc0) != 0x80)
            text_add_fill(text, line[i] == '\t' ? '\t' : ' ', 1);
    text_add_string(text, "^");
    text_add_fill(text, '~', (int)length - 1);
    text_add_string(text, "\n");
}

static void add_source_line(Text *text, const SourcePlace *place, uint32_t marked)
{
    uint32_t length;
    const char *line = source_line(place->file, place->line, &length);
    uint32_t column = place->column > length + 1 ? length + 1 : place->column;
    if (column > SHOWN_COLUMNS)
        return;
    uint32_t shown = length > SHOWN_COLUMNS ? SHOWN_COLUMNS : length;
    text_add(text, "%6u | ", place->line);
    for (uint32_t i = 0; i < shown; i++)
        text_add_fill(text, (unsigned char)line[i] < ' ' && line[i] != '\t' ? '?' : line[i], 1);
    text_add_string(text, "\n");
    uint32_t room = shown + 1 > column ? shown + 1 - column : 1;
    add_caret_line(text, line, column, marked > room ? (room ? room : 1) : marked);
}

const char *diag_kind_words(DiagKind kind)
{
    static const char *const words[] = {"error", "not supported yet", "not supported yet", "warning"};
    return words[kind];
}

void diags_sort(Diags *diags)
{
    if (diags->items.count)
        qsort(diags->items.items, diags->items.count, sizeof(Diag), compare_places);
}

void diags_print(Diags *diags, const Sources *sources, Text *text)
{
    diags_sort(diags);
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = &diags->items.items[i];
        SourcePlace place = source_place(sources, diag->pos);
        text_add(text, "%s:%u:%u: %s: %s\n", place.file->name, place.line, place.column,
                 diag_kind_words(diag->kind), diag->text);
        add_source_line(text, &place, diag->length);
    }
}
