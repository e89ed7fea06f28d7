/* input.h - symbolic inputs: named, numbered, never removed */
#ifndef SYM_EXPR_INPUT_H
#define SYM_EXPR_INPUT_H

#include <stddef.h>

#include "sym/expr/bits.h"

typedef struct InputId {
    uint32_t index;
} InputId;

/* The values that an input can have; {0}: all of its sort. */
typedef struct InputRange {
    Bits low, high; /* inclusive */
    bool limited;
    bool is_signed; /* how they are compared; integers always are */
} InputRange;

/* A symbolic input: the `number`-th one of this name. */
typedef struct Input {
    const char *name;
    uint32_t number;
    Sort sort;
    InputRange range;
    uint64_t hash; /* of the others: the same in every process and machine */
} Input;

/* All inputs of a pool, in the pool's mapping, with room for a fixed number. */
typedef struct InputTable {
    Input *records;
    uint32_t *chains;  /* next record of the bucket plus 1; 0 ends */
    uint32_t *buckets;
    char *names;
    size_t names_used;
    uint32_t count;
} InputTable;

/* Bytes that a table occupies, and a table in that many zeroed bytes. */
size_t input_table_size(void);
InputTable *input_table_init(void *memory);

/* The input with this name, number and sort, added if it is new. The name is copied. Calls mem_exhausted when the table
 * is full (a million inputs). */
InputId input_make(InputTable *table, const char *name, uint32_t number, Sort sort);

/* The same for an input with a range. The client must add the range to the path condition (session_path.c does). */
InputId input_make_limited(InputTable *table, const char *name, uint32_t number, Sort sort, const InputRange *range);

bool input_range_contains(const InputRange *range, Sort sort, Bits value);

const Input *input_get(const InputTable *table, InputId input);

#endif
