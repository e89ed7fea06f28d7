/* value.h - values of a running model
 *
 * A value is one word. Small integers, constructors without arguments, objects and
 * futures are in the word itself; everything else is a cell in an arena. Cells are
 * immutable and contain their hash. Hashes, like the order of values, depend only on
 * the value, never on addresses or on the schedule: objects and tasks are identified
 * by their names (names.h).
 */
#ifndef ABS_VALUE_VALUE_H
#define ABS_VALUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

typedef uint64_t Value;

typedef enum ValueTag {
    TAG_CELL,     /* pointer to a Cell                       */
    TAG_INT,      /* small integer                           */
    TAG_CONSTANT, /* constructor without arguments: number   */
    TAG_OBJECT,   /* number of an object; 0 is null          */
    TAG_FUTURE,   /* number of the task that resolves it     */
    TAG_NONE = 7  /* no value: a failed operation            */
} ValueTag;

enum { TAG_BITS = 3, TAG_MASK = 7 };
#define VALUE_NONE (~(Value)0)
#define VALUE_NULL ((Value)TAG_OBJECT)
#define VALUE_INT_MAX ((int64_t)1 << 60)

/* The first constructors of the standard library. */
#define VALUE_UNIT ((Value)0 << TAG_BITS | TAG_CONSTANT)
#define VALUE_TRUE ((Value)1 << TAG_BITS | TAG_CONSTANT)
#define VALUE_FALSE ((Value)2 << TAG_BITS | TAG_CONSTANT)

typedef enum CellKind { CELL_DATA, CELL_STRING, CELL_INT, CELL_RAT, CELL_FLOAT, CELL_CLOSURE, CELL_SYMBOL,
               CELL_UNKNOWN } CellKind;

typedef struct Cell {
    uint32_t tag;    /* constructor; length of a string; limbs of an integer */
    uint16_t kind;   /* CellKind                                             */
    uint16_t count;  /* arguments; 1 for a negative integer                  */
    uint64_t hash;
    Value args[];    /* arguments, bytes, limbs, numerator and denominator, code and captured values;
                        of a symbol: its value, see symbol.c; of an unknown, see unknown.c */
} Cell;

/* Words of an unknown before its path: see unknown.c. */
enum {
    UNKNOWN_TYPE, UNKNOWN_DEPTH, UNKNOWN_STAMP, UNKNOWN_VALUE, UNKNOWN_INPUT, UNKNOWN_HASH, UNKNOWN_FIRST, UNKNOWN_PATH
};

static inline ValueTag value_tag(Value v) { return (ValueTag)(v & TAG_MASK); }
static inline bool value_is_int(Value v) { return (v & TAG_MASK) == TAG_INT; }
static inline bool value_is_cell(Value v) { return (v & TAG_MASK) == TAG_CELL; }
static inline int64_t value_int(Value v) { return (int64_t)v >> TAG_BITS; }
static inline uint32_t value_number(Value v) { return (uint32_t)(v >> TAG_BITS); }
static inline bool value_fits_int(int64_t n) { return n >= -VALUE_INT_MAX && n < VALUE_INT_MAX; }
static inline Value value_from_int(int64_t n) { return (Value)n << TAG_BITS | TAG_INT; }
static inline Value value_from_bool(bool b) { return b ? VALUE_TRUE : VALUE_FALSE; }
static inline Value value_constant(uint32_t constructor) { return (Value)constructor << TAG_BITS | TAG_CONSTANT; }
static inline Value value_object(uint32_t object) { return (Value)object << TAG_BITS | TAG_OBJECT; }
static inline Value value_future(uint32_t agent) { return (Value)agent << TAG_BITS | TAG_FUTURE; }
static inline Cell *value_cell(Value v) { return (Cell *)(uintptr_t)v; }
static inline Value value_from_cell(const Cell *cell) { return (Value)(uintptr_t)cell; }
static inline bool value_is_kind(Value v, CellKind kind) { return value_is_cell(v) && value_cell(v)->kind == kind; }
static inline const char *cell_bytes(const Cell *cell) { return (const char *)cell->args; }

/* What hashing, ordering and printing need of a model. */
typedef struct ValueContext {
    const char *const *constructor_names; /* by number                                */
    const uint32_t *constructor_ranks;    /* by number: place in the order of names   */
    const uint64_t *constructor_hashes;
    const struct NameTable *names;        /* of objects and tasks                     */
    bool compact;                         /* no blank between arguments, as in toString() */
    void (*print_object)(const struct ValueContext *context, uint32_t object, Text *text);
    void (*print_future)(const struct ValueContext *context, uint32_t agent, Text *text);
} ValueContext;

/* ---- Making (the cells live in the arena) ---- */

Value value_make_data(const ValueContext *context, Arena *arena, uint32_t constructor, const Value *args,
                      uint32_t count);
Value value_make_string(Arena *arena, const char *bytes, size_t size);
Value value_make_float(Arena *arena, double x);
Value value_make_closure(Arena *arena, const void *code, const Value *captured, uint32_t count);
double value_float(Value v);
/* A copy of the value with all its cells in another arena. */
Value value_copy(Arena *arena, Value v);

/* ---- Questions ---- */

uint64_t value_hash(const ValueContext *context, Value v);
/* A number that distinguishes values of one type: a small integer itself, else a hash that no small integer equals. */
int64_t value_key(const ValueContext *context, Value v);
bool value_equal(Value a, Value b);
/* The total order of ABS on values of one type: < 0, 0, > 0. */
int value_compare(const ValueContext *context, Value a, Value b);
/* As toString() shows it: strings without quotes, unless inside of data. */
void value_print(const ValueContext *context, Value v, Text *text);

#endif
