/* value.c - see value.h
 *
 * Lists and similar data are compared, copied and printed along their last argument in a loop; other nesting recurses
 * down to a maximum depth, below which hashes decide.
 */
#include "abs/value/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/value/names.h"
#include "abs/value/number.h"
#include "base/map.h"

enum { DEEPEST = 2000 };

/* ---- Hashes --------------------------------------------------------------------- */

static uint64_t hash_bytes(const char *bytes, size_t size)
{
    uint64_t h = size + 1;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3ull;
    return map_mix(h, size);
}

uint64_t value_hash(const ValueContext *context, Value v)
{
    uint32_t number = value_number(v);
    switch (value_tag(v)) {
    case TAG_CELL: return value_cell(v)->hash;
    case TAG_INT: return map_mix(v, 11);
    case TAG_CONSTANT: return context->constructor_hashes[number];
    case TAG_OBJECT: return number ? map_mix(names_object_name(context->names, number)->hash, 13) : 17;
    case TAG_FUTURE: return map_mix(names_task_name(context->names, number)->hash, 19);
    case TAG_NONE: break;
    }
    return 0;
}

int64_t value_key(const ValueContext *context, Value v)
{
    if (value_is_int(v))
        return value_int(v);
    uint64_t top = (uint64_t)3 << 62;
    return (int64_t)((value_hash(context, v) & ~top) | (uint64_t)1 << 63);
}

/* ---- Making ------------------------------------------------------------------------ */

static Cell *new_cell(Arena *arena, CellKind kind, size_t bytes)
{
    Cell *cell = arena_alloc(arena, sizeof *cell + bytes);
    cell->kind = (uint16_t)kind;
    cell->count = 0;
    return cell;
}

Value value_make_data(const ValueContext *context, Arena *arena, uint32_t constructor, const Value *args,
                      uint32_t count)
{
    if (count == 0)
        return value_constant(constructor);
    Cell *cell = new_cell(arena, CELL_DATA, count * sizeof(Value));
    uint64_t hash = context->constructor_hashes[constructor];
    cell->tag = constructor;
    cell->count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) {
        cell->args[i] = args[i];
        hash = map_mix(hash, value_hash(context, args[i]));
    }
    cell->hash = hash;
    return value_from_cell(cell);
}

Value value_make_string(Arena *arena, const char *bytes, size_t size)
{
    Cell *cell = new_cell(arena, CELL_STRING, size + 1);
    char *copy = (char *)cell->args;
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    cell->tag = (uint32_t)size;
    cell->hash = hash_bytes(bytes, size);
    return value_from_cell(cell);
}

Value value_make_float(Arena *arena, double x)
{
    Cell *cell = new_cell(arena, CELL_FLOAT, sizeof x);
    if (x == 0)
        x = 0; /* one zero */
    cell->tag = 0;
    memcpy(cell->args, &x, sizeof x);
    cell->hash = hash_bytes((const char *)cell->args, sizeof x);
    return value_from_cell(cell);
}

double value_float(Value v)
{
    double x;
    memcpy(&x, value_cell(v)->args, sizeof x);
    return x;
}

Value value_make_closure(Arena *arena, const void *code, const Value *captured, uint32_t count)
{
    Cell *cell = new_cell(arena, CELL_CLOSURE, (count + 1) * sizeof(Value));
    cell->tag = 0;
    cell->count = (uint16_t)count;
    cell->hash = 0;
    cell->args[0] = (Value)(uintptr_t)code;
    if (count)
        memcpy(cell->args + 1, captured, count * sizeof(Value));
    return value_from_cell(cell);
}

static size_t payload_size(const Cell *cell)
{
    switch ((CellKind)cell->kind) {
    case CELL_DATA: return cell->count * sizeof(Value);
    case CELL_STRING: return (size_t)cell->tag + 1;
    case CELL_INT: return (size_t)cell->tag * sizeof(Value);
    case CELL_RAT: return 2 * sizeof(Value);
    case CELL_FLOAT: return sizeof(double);
    case CELL_CLOSURE: return (cell->count + 1) * sizeof(Value);
    case CELL_SYMBOL: return 2 * sizeof(Value); /* the second is no value */
    case CELL_UNKNOWN: return UNKNOWN_PATH * sizeof(Value) + cell->tag + 1;
    }
    return 0;
}

static bool has_values(const Cell *cell)
{
    return cell->kind == CELL_DATA || cell->kind == CELL_RAT || cell->kind == CELL_SYMBOL;
}

static uint32_t value_count(const Cell *cell)
{
    return cell->kind == CELL_RAT ? 2 : cell->kind == CELL_SYMBOL ? 1 : cell->count;
}

Value value_copy(Arena *arena, Value v)
{
    Value result = v, *place = &result;
    while (value_is_cell(*place)) {
        const Cell *cell = value_cell(*place);
        size_t size = payload_size(cell);
        Cell *copy = new_cell(arena, (CellKind)cell->kind, size);
        memcpy(copy, cell, sizeof *cell + size);
        *place = value_from_cell(copy);
        if (cell->kind == CELL_UNKNOWN) { /* the value it was settled to is not copied */
            copy->args[UNKNOWN_STAMP] = copy->args[UNKNOWN_INPUT] = 0;
            copy->args[UNKNOWN_FIRST] = value_copy(arena, copy->args[UNKNOWN_FIRST]);
        }
        if (!has_values(cell))
            break;
        uint32_t count = value_count(cell);
        for (uint32_t i = 0; i + 1 < count; i++)
            copy->args[i] = value_copy(arena, copy->args[i]);
        place = &copy->args[count - 1];
    }
    return result;
}

/* ---- Equality and order ---------------------------------------------------------------- */

static bool equal(Value a, Value b, unsigned depth)
{
    for (;;) {
        if (a == b)
            return true;
        if (!value_is_cell(a) || !value_is_cell(b))
            return false;
        const Cell *x = value_cell(a), *y = value_cell(b);
        if (x->hash != y->hash || x->kind != y->kind || x->tag != y->tag || x->count != y->count)
            return false;
        if (depth > DEEPEST)
            return true;
        if (!has_values(x))
            return memcmp(x->args, y->args, payload_size(x)) == 0;
        uint32_t count = value_count(x);
        for (uint32_t i = 0; i + 1 < count; i++)
            if (!equal(x->args[i], y->args[i], depth + 1))
                return false;
        a = x->args[count - 1];
        b = y->args[count - 1];
    }
}

bool value_equal(Value a, Value b)
{
    return equal(a, b, 0);
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_strings(const Cell *a, const Cell *b)
{
    uint32_t common = a->tag < b->tag ? a->tag : b->tag;
    int order = memcmp(cell_bytes(a), cell_bytes(b), common);
    return order ? order : compare_u64(a->tag, b->tag);
}

static uint32_t constructor_of(Value v)
{
    return value_is_cell(v) ? value_cell(v)->tag : value_number(v);
}

static bool is_number(Value v)
{
    return value_is_int(v) || value_is_kind(v, CELL_INT) || value_is_kind(v, CELL_RAT);
}

static int compare(const ValueContext *context, Value a, Value b, unsigned depth)
{
    for (;;) {
        if (a == b)
            return 0;
        if (is_number(a) && is_number(b))
            return number_compare(a, b);
        if (value_tag(a) == TAG_OBJECT && value_tag(b) == TAG_OBJECT)
            return names_compare_objects(context->names, value_number(a), value_number(b));
        if (value_tag(a) == TAG_FUTURE && value_tag(b) == TAG_FUTURE)
            return names_compare_tasks(context->names, value_number(a), value_number(b));
        if (value_tag(a) == TAG_OBJECT || value_tag(b) == TAG_OBJECT)
            return value_tag(a) == TAG_OBJECT ? -1 : 1; /* null and a future */
        if (value_is_kind(a, CELL_STRING))
            return compare_strings(value_cell(a), value_cell(b));
        if (value_is_kind(a, CELL_FLOAT))
            return value_float(a) < value_float(b) ? -1 : value_float(a) > value_float(b);
        uint32_t x = constructor_of(a), y = constructor_of(b);
        if (x != y)
            return compare_u64(context->constructor_ranks[x], context->constructor_ranks[y]);
        if (depth > DEEPEST)
            return compare_u64(value_cell(a)->hash, value_cell(b)->hash);
        uint32_t count = value_cell(a)->count;
        for (uint32_t i = 0; i + 1 < count; i++) {
            int order = compare(context, value_cell(a)->args[i], value_cell(b)->args[i], depth + 1);
            if (order)
                return order;
        }
        Value next = value_cell(a)->args[count - 1];
        b = value_cell(b)->args[count - 1];
        a = next;
    }
}

int value_compare(const ValueContext *context, Value a, Value b)
{
    return compare(context, a, b, 0);
}

/* ---- Printing ----------------------------------------------------------------------------- */

static void print_string(const Cell *cell, bool quoted, Text *text)
{
    if (!quoted) {
        text_add_bytes(text, cell_bytes(cell), cell->tag);
        return;
    }
    text_add_string(text, "\"");
    for (uint32_t i = 0; i < cell->tag; i++) {
        char c = cell_bytes(cell)[i];
        if (c == '"' || c == '\\')
            text_add_string(text, "\\");
        text_add_bytes(text, &c, 1);
    }
    text_add_string(text, "\"");
}

static void print_float(double x, Text *text)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", x);
    for (int precision = 1; precision < 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, x);
        if (strtod(digits, NULL) == x)
            break;
    }
    text_add_string(text, digits);
    if (isfinite(x) && !strpbrk(digits, ".e"))
        text_add_string(text, ".0");
}

static void print(const ValueContext *context, Value v, bool quoted, unsigned depth, Text *text);

/* What an unknown value was settled to; itself if nothing depended on it. */
static Value known(Value v)
{
    while (value_is_kind(v, CELL_UNKNOWN) && value_cell(v)->args[UNKNOWN_STAMP])
        v = value_cell(v)->args[UNKNOWN_VALUE];
    return v;
}

/* Data that is shown as a list of its elements. */
static const struct Collection {
    const char *more, *end, *shown;
} COLLECTIONS[] = {{"Cons", "Nil", "list"}, {"Insert", "EmptySet", "set"}, {"InsertAssoc", "EmptyMap", "map"}};

static const struct Collection *find_collection(const ValueContext *context, const Cell *cell)
{
    uint32_t more = cell->tag;
    const char *name = context->constructor_names[more];
    for (unsigned i = 0; cell->count == 2 && i < sizeof COLLECTIONS / sizeof *COLLECTIONS; i++) {
        if (strcmp(name, COLLECTIONS[i].more) != 0)
            continue;
        Value rest = known(cell->args[1]);
        while (value_is_kind(rest, CELL_DATA) && value_cell(rest)->tag == more)
            rest = known(value_cell(rest)->args[1]);
        bool ends = value_is_kind(rest, CELL_UNKNOWN) ||
                    (value_tag(rest) == TAG_CONSTANT &&
                     strcmp(context->constructor_names[value_number(rest)], COLLECTIONS[i].end) == 0);
        return ends ? &COLLECTIONS[i] : NULL; /* else another type has a constructor of this name */
    }
    return NULL;
}

static void print_data(const ValueContext *context, const Cell *cell, unsigned depth, Text *text)
{
    unsigned open = 0;
    for (;;) {
        text_add(text, "%s(", context->constructor_names[cell->tag]);
        open++;
        for (uint32_t i = 0; i + 1 < cell->count; i++) {
            print(context, cell->args[i], true, depth + 1, text);
            text_add_string(text, context->compact ? "," : ", ");
        }
        Value last = known(cell->args[cell->count - 1]);
        if (!value_is_kind(last, CELL_DATA) || find_collection(context, value_cell(last))) {
            print(context, last, true, depth + 1, text);
            break;
        }
        cell = value_cell(last);
    }
    text_add_fill(text, ')', (int)open);
}

/* list[1, 2, 3], or list[1, 2, ...] if nothing depended on the rest. */
static void print_collection(const ValueContext *context, const char *shown, const Cell *cell, unsigned depth,
                             Text *text)
{
    text_add(text, "%s[", shown);
    for (;;) {
        print(context, cell->args[0], true, depth + 1, text);
        Value rest = known(cell->args[1]);
        if (!value_is_cell(rest))
            break;
        text_add_string(text, context->compact ? "," : ", ");
        if (value_is_kind(rest, CELL_UNKNOWN)) {
            text_add_string(text, "...");
            break;
        }
        cell = value_cell(rest);
    }
    text_add_string(text, "]");
}

static void print_cell(const ValueContext *context, const Cell *cell, bool quoted, unsigned depth, Text *text)
{
    const struct Collection *collection = cell->kind == CELL_DATA ? find_collection(context, cell) : NULL;
    switch ((CellKind)cell->kind) {
    case CELL_DATA:
        if (collection)
            print_collection(context, collection->shown, cell, depth, text);
        else
            print_data(context, cell, depth, text);
        break;
    case CELL_STRING: print_string(cell, quoted, text); break;
    case CELL_INT:
    case CELL_RAT: number_print(value_from_cell(cell), text); break;
    case CELL_FLOAT: print_float(value_float(value_from_cell(cell)), text); break;
    case CELL_CLOSURE: text_add_string(text, "<function>"); break;
    case CELL_SYMBOL: value_print(context, cell->args[0], text); break;
    case CELL_UNKNOWN: text_add(text, "?%s", (const char *)&cell->args[UNKNOWN_PATH]); break;
    }
}

static void print(const ValueContext *context, Value v, bool quoted, unsigned depth, Text *text)
{
    if (depth > DEEPEST) {
        text_add_string(text, "...");
        return;
    }
    v = known(v);
    switch (value_tag(v)) {
    case TAG_CELL: print_cell(context, value_cell(v), quoted, depth, text); break;
    case TAG_INT: number_print(v, text); break;
    case TAG_CONSTANT: text_add_string(text, context->constructor_names[value_number(v)]); break;
    case TAG_OBJECT:
        if (value_number(v))
            context->print_object(context, value_number(v), text);
        else
            text_add_string(text, "null");
        break;
    case TAG_FUTURE: context->print_future(context, value_number(v), text); break;
    case TAG_NONE: text_add_string(text, "<none>"); break;
    }
}

void value_print(const ValueContext *context, Value v, Text *text)
{
    print(context, v, false, 0, text);
}
