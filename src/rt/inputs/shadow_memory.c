/* shadow_memory.c - see shadow_memory.h */
#include "rt/inputs/shadow_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/inputs/stamp.h"

typedef struct ShadowWord {
    uint64_t key;       /* address / 8            */
    uint32_t run;       /* of which execution it is */
    uint8_t known;      /* bits: bytes with shadow */
    uint8_t value[8];
    uint8_t index[8];   /* which byte of the expression */
    uint32_t ids[8];
} ShadowWord;

static struct {
    ShadowWord *words;
    uint32_t room;      /* a power of two */
    uint32_t count;     /* of this execution, including empty ones */
    VEC(uint32_t) marked;
} memory;

uint8_t sennit_rt_shadow_map[SENNIT_SHADOW_MAP];

/* ---- The table ----------------------------------------------------------------------- */

static uint32_t place_of(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 40); }

static ShadowWord *find_word(uint64_t key)
{
    if (memory.count == 0)
        return NULL;
    for (uint32_t i = place_of(key);; i++) {
        ShadowWord *word = &memory.words[i & (memory.room - 1)];
        if (word->run != rt.execution)
            return NULL;
        if (word->key == key)
            return word;
    }
}

static ShadowWord *free_word(uint64_t key)
{
    uint32_t i = place_of(key);
    while (memory.words[i & (memory.room - 1)].run == rt.execution)
        i++;
    return &memory.words[i & (memory.room - 1)];
}

static void grow(void)
{
    ShadowWord *old = memory.words;
    uint32_t room = memory.room;
    memory.room = room ? room * 2 : 1 << 10;
    memory.words = mem_alloc((size_t)memory.room * sizeof *memory.words);
    for (uint32_t i = 0; i < room; i++)
        if (old[i].run == rt.execution)
            *free_word(old[i].key) = old[i];
    free(old);
}

static ShadowWord *make_word(uint64_t key)
{
    ShadowWord *word = find_word(key);
    if (word)
        return word;
    if (memory.count * 2 >= memory.room)
        grow();
    word = free_word(key);
    *word = (ShadowWord){.key = key, .run = rt.execution};
    memory.count++;
    return word;
}

static uint32_t grain_of(uint64_t address)
{
    return (uint32_t)(address >> SENNIT_SHADOW_GRAIN) & (SENNIT_SHADOW_MAP - 1);
}

/* May any of the first 16 bytes have a shadow? */
static bool may_have(uint64_t address) { return sennit_rt_shadow_map[grain_of(address)]; }

static void mark(uint64_t address)
{
    uint32_t at = grain_of(address);
    if (sennit_rt_shadow_map[at])
        return;
    sennit_rt_shadow_map[at] = 1;
    VEC_PUSH(&memory.marked, at);
}

void shadow_memory_reset(void)
{
    for (uint32_t i = 0; i < memory.marked.count; i++)
        sennit_rt_shadow_map[memory.marked.items[i]] = 0;
    memory.marked.count = 0;
    memory.count = 0;
}

bool shadow_memory_used(void) { return memory.count != 0; }

void shadow_memory_note(uint64_t address)
{
    make_word(address >> 3);
    mark(address);
}

bool shadow_memory_touched(uint64_t address) { return may_have(address) && find_word(address >> 3); }

/* ---- Bytes ------------------------------------------------------------------------------ */

/* One byte of an expression; id 0: none. */
typedef struct ByteRef {
    uint32_t id;
    uint8_t index;
} ByteRef;

/* *overwritten: the shadow that the byte belonged to, if memory holds another value than then. */
static ByteRef find_byte(uint64_t address, uint8_t value, uint32_t *overwritten)
{
    const ShadowWord *word = find_word(address >> 3);
    unsigned at = address & 7;
    if (!word || !(word->known >> at & 1))
        return (ByteRef){0};
    if (word->value[at] == value)
        return (ByteRef){word->ids[at], word->index[at]};
    *overwritten = word->ids[at];
    return (ByteRef){0};
}

static ByteRef get_byte(uint64_t address, uint8_t value)
{
    uint32_t overwritten;
    return find_byte(address, value, &overwritten);
}

static void put_byte(uint64_t address, ByteRef byte)
{
    unsigned at = address & 7;
    ShadowWord *word = byte.id ? make_word(address >> 3) : find_word(address >> 3);
    if (!word)
        return;
    word->known = (uint8_t)(byte.id ? word->known | 1u << at : word->known & ~(1u << at));
    word->ids[at] = byte.id;
    word->index[at] = byte.index;
    word->value[at] = *(const uint8_t *)(uintptr_t)address;
    if (byte.id) {
        mark(address);
        mark(address - 15);
    }
}

static ExprId byte_expr(ByteRef byte)
{
    ExprId whole = shadow_expr(byte.id);
    return expr_extract(tracking.pool, whole, 8u * byte.index, 8);
}

/* ---- Values -------------------------------------------------------------------------------- */

static uint32_t join(const ByteRef *bytes, const uint8_t *values, unsigned size)
{
    ExprId parts[16];
    Bits value = 0;
    bool whole = bytes[0].id && bytes[0].index == 0 && expr_sort(tracking.pool, shadow_expr(bytes[0].id)) == 8 * size;
    for (unsigned i = 0; i < size; i++) {
        whole = whole && bytes[i].id == bytes[0].id && bytes[i].index == i;
        value |= (Bits)values[i] << 8 * i;
    }
    if (whole)
        return bytes[0].id;
    for (unsigned i = 0; i < size; i++)
        parts[i] = bytes[i].id ? byte_expr(bytes[i]) : EXPR_NONE;
    return expr_join_bytes(tracking.pool, parts, value, size).id;
}

/* Code that overwrote one byte of a value overwrote the others too, even if they are unchanged. (SHD-3) */
static bool get_bytes(uint64_t address, const uint8_t *values, unsigned size, ByteRef *bytes)
{
    uint32_t overwritten = 0;
    bool any = false;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = find_byte(address + i, values[i], &overwritten);
    for (unsigned i = 0; i < size; i++) {
        if (overwritten && bytes[i].id == overwritten)
            bytes[i] = (ByteRef){0};
        any = any || bytes[i].id;
    }
    return any;
}

uint32_t shadow_memory_get(uint64_t address, const void *values, uint32_t width)
{
    ByteRef bytes[16];
    unsigned size = (width + 7) / 8;
    if (!may_have(address) || !get_bytes(address, values, size, bytes))
        return 0;
    ExprId e = shadow_expr(join(bytes, values, size));
    if (expr_is_none(e) || width == 8 * size)
        return e.id;
    e = expr_trunc(tracking.pool, e, (Sort)width);
    return shadow_of_expr(e);
}

void shadow_memory_set(uint64_t address, uint32_t shadow, uint32_t width)
{
    unsigned size = (width + 7) / 8;
    if (!shadow && !may_have(address))
        return;
    if (shadow && width != 8 * size)
        shadow = expr_zext(tracking.pool, shadow_expr(shadow), (Sort)(8 * size)).id;
    for (unsigned i = 0; i < size; i++)
        put_byte(address + i, (ByteRef){shadow, (uint8_t)i});
}

void shadow_memory_put(uint64_t address, uint32_t shadow, uint32_t width)
{
    if (!shadow && !may_have(address))
        return;
    shadow_memory_set(address, shadow, width);
    stamp_shadow_changed(address, (width + 7) / 8, shadow != 0);
}

/* Clears the bytes of the word that lie in the range. */
static void clear_bytes(ShadowWord *word, uint64_t address, uint64_t size)
{
    for (unsigned k = 0; k < 8; k++) {
        uint64_t at = word->key * 8 + k;
        if (at - address >= size)
            continue;
        word->known &= (uint8_t)~(1u << k);
        stamp_shadow_changed(at, 1, false);
    }
}

void shadow_memory_clear(uint64_t address, uint64_t size)
{
    if (memory.count == 0)
        return;
    uint64_t last = (address + size - 1) >> 3;
    if (size == 0)
        return;
    if (last - (address >> 3) > memory.room) { /* visiting every word is cheaper than every address */
        for (uint32_t i = 0; i < memory.room; i++)
            if (memory.words[i].run == rt.execution && memory.words[i].key - (address >> 3) <= last - (address >> 3))
                clear_bytes(&memory.words[i], address, size);
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        put_byte(address + i, (ByteRef){0});
    stamp_shadow_changed(address, size, false);
}

void shadow_memory_copy(uint64_t to, uint64_t from, uint64_t size)
{
    if (memory.count == 0)
        return;
    bool any = false;
    ByteRef *bytes = mem_alloc((size ? size : 1) * sizeof *bytes);
    /* Memory was copied already, so that the copy has the original's values. */
    for (uint64_t i = 0; i < size; i++) {
        bytes[i] = get_byte(from + i, *(const uint8_t *)(uintptr_t)(to + i));
        any = any || bytes[i].id;
    }
    for (uint64_t i = 0; i < size; i++)
        put_byte(to + i, bytes[i]);
    free(bytes);
    stamp_shadow_changed(to, size, any);
}

/* ---- Hooks ------------------------------------------------------------------------------------ */

void sennit_rt_shadow_copy(void *to, const void *from, uint64_t size)
{
    if (memory.count)
        shadow_memory_copy(address_of(to), address_of(from), size);
}

void sennit_rt_shadow_fill(void *to, uint32_t s_byte, uint64_t size)
{
    if (!s_byte) {
        shadow_memory_clear(address_of(to), size);
        return;
    }
    ExprId byte = expr_trunc(tracking.pool, shadow_expr(s_byte), 8);
    for (uint64_t i = 0; i < size; i++)
        put_byte(address_of(to) + i, (ByteRef){byte.id, 0});
    stamp_shadow_changed(address_of(to), size, true);
}
