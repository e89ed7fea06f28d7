/* input.c - see input.h */
#include "sym/input.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "sym/hash.h"

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

static bool is_input(const Input *input, uint64_t hash, const char *name, uint32_t number, Sort sort)
{
    return input->hash == hash && input->number == number && input->sort == sort && strcmp(input->name, name) == 0;
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

InputId input_make(InputTable *table, const char *name, uint32_t number, Sort sort)
{
    uint64_t hash = hash_mix(hash_text(name), (uint64_t)number << 8 | sort);
    uint32_t *bucket = &table->buckets[hash % BUCKETS];
    for (uint32_t i = *bucket; i; i = table->chains[i - 1])
        if (is_input(&table->records[i - 1], hash, name, number, sort))
            return (InputId){i - 1};
    if (table->count == MOST_INPUTS)
        mem_exhausted(sizeof(Input));
    uint32_t index = table->count;
    table->records[index] = (Input){copy_name(table, name), number, sort, hash};
    table->chains[index] = *bucket;
    *bucket = index + 1;
    table->count++;
    return (InputId){index};
}

const Input *input_get(const InputTable *table, InputId input)
{
    assert(input.index < table->count);
    return &table->records[input.index];
}
