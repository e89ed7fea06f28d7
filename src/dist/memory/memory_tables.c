/* memory_tables.c - see memory_tables.h: releasing and copying the state */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory/memory_tables.h"

void tables_release_domain(TableDomain *domain)
{
    text_release(&domain->entries);
    VEC_FREE(&domain->starts);
    VEC_FREE(&domain->items);
}

static void release_texts(Text *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_release(&texts[i]);
}

void tables_release(MemoryTables *tables)
{
    for (uint32_t i = 0; i < tables->domains.count; i++)
        tables_release_domain(&tables->domains.items[i]);
    for (uint32_t i = 0; i < tables->pairs.count; i++) {
        free(tables->pairs.items[i].key);
        free(tables->pairs.items[i].value);
    }
    for (uint32_t i = 0; i < tables->bugs.count; i++)
        text_release(&tables->bugs.items[i].text);
    release_texts(tables->records.items, tables->records.count);
    release_texts(tables->reached.items, tables->reached.count);
    VEC_FREE(&tables->records);
    VEC_FREE(&tables->reached);
    VEC_FREE(&tables->domains);
    VEC_FREE(&tables->pairs);
    VEC_FREE(&tables->bugs);
    VEC_FREE(&tables->items);
    VEC_FREE(&tables->queue);
    VEC_FREE(&tables->leased);
    VEC_FREE(&tables->workers);
    map_release(&tables->by_name);
    free(tables->identity);
    *tables = (MemoryTables){0};
}

/* Gives a copied array memory of its own. */
#define OWN(v)                                                            \
    do {                                                                  \
        const void *own_from_ = (v)->items;                               \
        uint32_t own_count_ = (v)->count;                                 \
        (v)->items = NULL;                                                \
        (v)->count = (v)->room = 0;                                       \
        VEC_RESERVE(v, own_count_);                                       \
        if (own_count_)                                                   \
            memcpy((v)->items, own_from_, own_count_ * sizeof *(v)->items); \
        (v)->count = own_count_;                                          \
    } while (0)

static void copy_texts(Text *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        texts[i] = text_copy(&texts[i]);
}

void tables_copy(MemoryTables *to, const MemoryTables *from)
{
    *to = *from;
    to->identity = from->identity ? mem_copy_string(from->identity) : NULL;
    OWN(&to->pairs);
    OWN(&to->items);
    OWN(&to->queue);
    OWN(&to->leased);
    OWN(&to->domains);
    OWN(&to->workers);
    OWN(&to->bugs);
    OWN(&to->records);
    OWN(&to->reached);
    copy_texts(to->records.items, to->records.count);
    copy_texts(to->reached.items, to->reached.count);
    to->by_name = (Map){0};
    for (uint32_t i = 0; i < to->pairs.count; i++) {
        Pair *pair = &to->pairs.items[i];
        const char *value = pair->value;
        pair->key = mem_copy_string(pair->key);
        pair->value = mem_alloc(pair->size + 1);
        memcpy(pair->value, value, pair->size);
    }
    for (uint32_t i = 0; i < to->domains.count; i++) {
        TableDomain *domain = &to->domains.items[i];
        domain->entries = text_copy(&domain->entries);
        OWN(&domain->starts);
        OWN(&domain->items);
        if (domain->live)
            *map_insert(&to->by_name, domain->name, NULL) = i + 1;
    }
    for (uint32_t i = 0; i < to->bugs.count; i++)
        to->bugs.items[i].text = text_copy(&to->bugs.items[i].text);
}
