/* input.c - see input.h */
#include "sym/expr/input.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "sym/expr/hash.h"

enum { MOST_INPUTS = 1 << 20, NAME_BYTES = 64 << 20, BUCKETS = 1 << 16 };

size_t input_table_size(void)
{
    return sizeof(InputTable) + (size_t)MOST_INPUTS * (sizeof(Input) + sizeof(uint32_t)) +
           (size_t)BUCKETS * sizeof(uint32_t) + NAME_BYTES;
}

InputTable *input_table_init(void *memory)
{
    InputTable *table = memory;
    table->records = (Input *)(table + 1);
    table->chains = (uint32_t *)(table->records + MOST_INPUTS);
    table->buckets = table->chains + MOST_INPUTS;
    table->names = (char *)(table->buckets + BUCKETS);
    return table;
}

static bool is_same_range(const InputRange *a, const InputRange *b)
{
    return a->limited == b->limited &&
           (!a->limited || (a->is_signed == b->is_signed && a->low == b->low && a->high == b->high));
}

static bool is_same(const Input *a, const Input *b)
{
    return a->hash == b->hash && a->number == b->number && a->sort == b->sort && is_same_range(&a->range, &b->range) &&
           strcmp(a->name, b->name) == 0;
}

static uint64_t hash_half(uint64_t h, Bits value)
{
    return hash_mix(hash_mix(h, (uint64_t)value), (uint64_t)(value >> 64));
}

static uint64_t hash_input(const Input *input)
{
    uint64_t h = hash_mix(hash_text(input->name), (uint64_t)input->number << 8 | input->sort);
    if (input->range.limited)
        h = hash_mix(hash_half(hash_half(h, input->range.low), input->range.high), input->range.is_signed);
    return h;
}

static const char *copy_name(InputTable *table, const char *name)
{
    size_t size = strlen(name) + 1;
    if (table->names_used + size > NAME_BYTES)
        mem_exhausted(size);
    char *copy = table->names + table->names_used;
    memcpy(copy, name, size);
    table->names_used += size;
    return copy;
}

static InputId find_or_add(InputTable *table, Input input)
{
    input.hash = hash_input(&input);
    uint32_t *bucket = &table->buckets[input.hash % BUCKETS];
    for (uint32_t i = *bucket; i; i = table->chains[i - 1])
        if (is_same(&table->records[i - 1], &input))
            return (InputId){i - 1};
    if (table->count == MOST_INPUTS)
        mem_exhausted(sizeof(Input));
    uint32_t index = table->count;
    input.name = copy_name(table, input.name);
    table->records[index] = input;
    table->chains[index] = *bucket;
    *bucket = index + 1;
    table->count++;
    return (InputId){index};
}

InputId input_make(InputTable *table, const char *name, uint32_t number, Sort sort)
{
    return find_or_add(table, (Input){.name = name, .number = number, .sort = sort});
}

InputId input_make_limited(InputTable *table, const char *name, uint32_t number, Sort sort, const InputRange *range)
{
    Input input = {.name = name, .number = number, .sort = sort, .range = *range};
    input.range.is_signed = range->is_signed || sort == SORT_INT;
    if (!range->limited)
        input.range = (InputRange){0};
    return find_or_add(table, input);
}

bool input_range_contains(const InputRange *range, Sort sort, Bits value)
{
    if (!range->limited)
        return true;
    if (!range->is_signed)
        return value >= range->low && value <= range->high;
    SignedBits number = bits_signed(value, sort);
    return number >= bits_signed(range->low, sort) && number <= bits_signed(range->high, sort);
}

const Input *input_get(const InputTable *table, InputId input)
{
    assert(input.index < table->count);
    return &table->records[input.index];
}
