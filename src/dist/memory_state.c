/* memory_state.c - see memory_internal.h: the end and the copies of what is remembered */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory_internal.h"

void memory_release_domain(Domain *domain)
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

void memory_release(Memory *memory)
{
    for (uint32_t i = 0; i < memory->domains.count; i++)
        memory_release_domain(&memory->domains.items[i]);
    for (uint32_t i = 0; i < memory->pairs.count; i++) {
        free(memory->pairs.items[i].key);
        free(memory->pairs.items[i].value);
    }
    for (uint32_t i = 0; i < memory->bugs.count; i++)
        text_release(&memory->bugs.items[i].text);
    release_texts(memory->records.items, memory->records.count);
    release_texts(memory->reached.items, memory->reached.count);
    VEC_FREE(&memory->records);
    VEC_FREE(&memory->reached);
    VEC_FREE(&memory->domains);
    VEC_FREE(&memory->pairs);
    VEC_FREE(&memory->bugs);
    VEC_FREE(&memory->items);
    VEC_FREE(&memory->queue);
    VEC_FREE(&memory->leased);
    VEC_FREE(&memory->workers);
    map_release(&memory->by_name);
    free(memory->identity);
    *memory = (Memory){0};
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

void memory_copy(Memory *to, const Memory *from)
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
        Domain *domain = &to->domains.items[i];
        domain->entries = text_copy(&domain->entries);
        OWN(&domain->starts);
        OWN(&domain->items);
        if (domain->live)
            *map_insert(&to->by_name, domain->name, NULL) = i + 1;
    }
    for (uint32_t i = 0; i < to->bugs.count; i++)
        to->bugs.items[i].text = text_copy(&to->bugs.items[i].text);
}
