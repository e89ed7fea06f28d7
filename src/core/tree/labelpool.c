/* labelpool.c - see labelpool.h: a hash table with chains */
#include "core/tree/labelpool.h"

#include <stddef.h>
#include <string.h>

#include "base/map.h"

enum { FIRST_CAPACITY = 64 };

struct KeptLabel {
    KeptLabel *next; /* in its slot */
    uint32_t uses;
    uint32_t hash;
    Label label;     /* its touches and choices follow */
};

static size_t kept_size(const Label *label) { return sizeof(KeptLabel) + label_tail_size(label); }

static uint32_t hash_of(const Label *label)
{
    uint64_t hash = map_mix((uint64_t)label->agent << 32 | label->index, label->filter);
    for (unsigned t = 0; t < label->touch_count; t++) {
        const Touch *touch = &label->touches[t];
        hash = map_mix(hash, touch->resource ^ (uint64_t)touch->mode << 56 ^ (uint64_t)touch->lanes << 48);
    }
    for (unsigned c = 0; c < label->choice_count; c++)
        hash = map_mix(hash, (uint64_t)label->choices[c].condition << 32 | label->choices[c].taken);
    return (uint32_t)hash;
}

/* Equal to the last field, companions included: one stands for the other everywhere. */
static bool same_label(const Label *a, const Label *b)
{
    if (a->index != b->index || a->filter != b->filter || a->touch_count != b->touch_count ||
        a->conditional != b->conditional || a->fixed != b->fixed || !label_same_outcome(a, b))
        return false;
    for (unsigned t = 0; t < a->touch_count; t++) {
        const Touch *s = &a->touches[t], *u = &b->touches[t];
        if (s->resource != u->resource || s->lanes != u->lanes || s->mode != u->mode || s->companion != u->companion)
            return false;
    }
    return true;
}

static void grow(LabelPool *pool)
{
    uint32_t capacity = pool->capacity ? 2 * pool->capacity : FIRST_CAPACITY;
    KeptLabel **slots = region_alloc(pool->region, capacity * sizeof *slots);
    memset(slots, 0, capacity * sizeof *slots);
    for (uint32_t i = 0; i < pool->capacity; i++)
        for (KeptLabel *kept = pool->slots[i], *next; kept; kept = next) {
            next = kept->next;
            kept->next = slots[kept->hash % capacity];
            slots[kept->hash % capacity] = kept;
        }
    if (pool->capacity)
        region_free(pool->region, pool->slots, pool->capacity * sizeof *pool->slots);
    pool->slots = slots;
    pool->capacity = capacity;
}

const Label *labelpool_keep(LabelPool *pool, const Label *label)
{
    uint32_t hash = hash_of(label);
    KeptLabel *kept = pool->capacity ? pool->slots[hash % pool->capacity] : NULL;
    while (kept && (kept->hash != hash || !same_label(&kept->label, label)))
        kept = kept->next;
    if (!kept) {
        if (pool->count == pool->capacity)
            grow(pool);
        KeptLabel **slot = &pool->slots[hash % pool->capacity];
        kept = region_alloc(pool->region, kept_size(label));
        *kept = (KeptLabel){.next = *slot, .hash = hash};
        label_copy(&kept->label, label, kept + 1);
        *slot = kept;
        pool->count++;
    }
    kept->uses++;
    return &kept->label;
}

void labelpool_drop(LabelPool *pool, const Label *label)
{
    KeptLabel *kept = (KeptLabel *)((char *)(uintptr_t)label - offsetof(KeptLabel, label));
    if (--kept->uses > 0)
        return;
    KeptLabel **at = &pool->slots[kept->hash % pool->capacity];
    while (*at != kept)
        at = &(*at)->next;
    *at = kept->next;
    pool->count--;
    region_free(pool->region, kept, kept_size(&kept->label));
}

void labelpool_release(LabelPool *pool)
{
    for (uint32_t i = 0; i < pool->capacity; i++)
        for (KeptLabel *kept = pool->slots[i], *next; kept; kept = next) {
            next = kept->next;
            region_free(pool->region, kept, kept_size(&kept->label));
        }
    if (pool->capacity)
        region_free(pool->region, pool->slots, pool->capacity * sizeof *pool->slots);
    *pool = (LabelPool){.region = pool->region};
}
