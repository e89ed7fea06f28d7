/* input.c - see input.h */
#include "rt/inputs/input.h"

#include <stdio.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/assume.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/thread.h"
#include "rt/memory/word.h"

/* Copies as much of the name as fits; answers its length. */
static size_t copy_name(char *to, size_t size, const char *name)
{
    size_t length = strnlen(name, size - 1);
    memcpy(to, name, length);
    to[length] = 0;
    return length;
}

/* "x", "x#2", "x@0.1": the name of the next input that the running thread asks for as `name`. */
static void full_name(const char *name, char *full, size_t size)
{
    uint64_t hash = rt.self->id + 1;
    for (const char *c = name; *c; c++)
        hash = map_mix(hash, (unsigned char)*c);
    uint64_t asked = ++*map_insert(&tracking.numbers, hash >> 1, NULL);
    size_t length = copy_name(full, size, *name ? name : "input");
    if (asked > 1)
        length += (size_t)snprintf(full + length, size - length, "#%llu", (unsigned long long)asked);
    if (rt.self->id && length + 2 < size) {
        full[length] = '@';
        agents_path(rt.self->id, full + length + 1, size - length - 1);
    }
}

/* Records the value for reports; one for which there is no room is left out. */
static void record(const char *name, const void *bytes, uint32_t size, bool text, bool is_signed)
{
    InputRecords *records = tracking.records;
    if (records->count == MAX_INPUT_RECORDS || size > MAX_INPUT_BYTES - records->byte_count)
        return;
    InputRecord *entry = &records->records[records->count];
    *entry = (InputRecord){.size = size, .first = records->byte_count, .text = text, .is_signed = is_signed};
    copy_name(entry->name, sizeof entry->name, name);
    memcpy(records->bytes + records->byte_count, bytes, size);
    records->byte_count += size;
    records->count++;
}

/* Unlike a decision, an input is no event. */
static Bits take(const char *name, uint32_t number, uint32_t width, uint64_t first, uint32_t *shadow)
{
    InputSpec spec = {.name = name, .number = number, .sort = (Sort)width};
    Bits value;
    ExprId e = session_input(tracking.session, &spec, first, &value);
    *shadow = shadow_of_expr(e);
    *map_insert(&tracking.asked, e.id, NULL) = tracking_moment();
    return value;
}

static void limit(uint32_t shadow, uint64_t value, const InputKind *kind)
{
    ExprPool *pool = tracking.pool;
    ExprId e = shadow_expr(shadow);
    Sort sort = (Sort)kind->width;
    ExprId low = expr_const(pool, sort, (Bits)(SignedBits)kind->low),
           high = expr_const(pool, sort, (Bits)(SignedBits)kind->high);
    ExprOp below = kind->is_signed ? EXPR_SLE : EXPR_ULE;
    SignedBits number = kind->is_signed ? bits_signed(value, sort) : (SignedBits)value;
    SignedBits least = kind->is_signed ? kind->low : (SignedBits)(uint64_t)kind->low;
    SignedBits most = kind->is_signed ? kind->high : (SignedBits)(uint64_t)kind->high;
    assume_condition(expr_binary(pool, EXPR_AND, expr_binary(pool, below, low, e), expr_binary(pool, below, e, high)),
                    number >= least && number <= most);
}

/* Constructors run once per process, not once per execution. */
static bool is_asked(void)
{
    if (!rt.self)
        report_not_modelled("an input before main");
    return tracking.on;
}

/* Counted per thread, so the bound means the same in every schedule. */
static void count_request(void)
{
    if (LIKELY(++rt.self->inputs <= rt.options.max_inputs || !rt.options.max_inputs))
        return;
    execution_cut(rt.ex, CUT_INPUTS);
    thread_halt();
}

/* ---- Sampling ---------------------------------------------------------------- */

/* 0..options-1, by the picker of a sampled execution. */
static uint32_t draw(uint32_t options) { return rt.ex->picker->choose(rt.ex->picker, rt.ex, options); }

/* The value of an input that nothing decides yet. When executions are sampled so are inputs: often a small number,
 * which is an index or a size that many programs accept. */
static uint64_t free_value(const InputKind *kind)
{
    if (!rt.ex->picker || !rt.ex->picker->samples)
        return kind->first;
    uint64_t limit = kind->width < 32 ? 1ull << kind->width : UINT32_MAX;
    uint64_t least = kind->low != kind->high ? (uint64_t)kind->low : 0;
    uint64_t span = kind->low != kind->high ? (uint64_t)kind->high - (uint64_t)kind->low : limit - 1;
    uint32_t how = draw(4);
    if (how < 2)
        return kind->first;
    uint64_t most = how == 2 && span > 7 ? 7 : span > UINT32_MAX - 1 ? UINT32_MAX - 1 : span;
    return least + draw((uint32_t)most + 1);
}

Bits input_number(const char *name, const InputKind *kind, uint32_t *shadow)
{
    char full[72];
    *shadow = 0;
    if (!is_asked())
        return kind->first;
    count_request();
    full_name(name, full, sizeof full);
    Bits value = take(full, 0, kind->width, free_value(kind), shadow);
    record(full, &value, (kind->width + 7) / 8, false, kind->is_signed);
    if (kind->low != kind->high && *shadow)
        limit(*shadow, (uint64_t)value, kind);
    return value;
}

void input_bytes(const char *name, void *bytes, uint64_t size)
{
    char full[72];
    uint8_t *to = bytes;
    if (!is_asked())
        return;
    count_request();
    full_name(name, full, sizeof full);
    for (uint64_t i = 0; i < size; i++) {
        uint32_t shadow;
        to[i] = (uint8_t)take(full, (uint32_t)i, 8, 0, &shadow);
        shadow_memory_put(address_of(&to[i]), shadow, 8);
    }
    record(full, bytes, (uint32_t)size, true, false);
}

enum { MAX_UNSET = 1 << 15 };

static void unset_word(Word word)
{
    uint32_t shadow;
    InputKind kind = {.width = 8 * word.size, .first = word_load(word.address, word.size)};
    word_store(word.address, (uint64_t)input_number("unset", &kind, &shadow), word.size);
    shadow_memory_put(word.address, shadow, kind.width);
}

void input_unset(void *memory, uint64_t size)
{
    if (!rt.self || !tracking.on)
        return;
    if (size > MAX_UNSET) {
        concretise_note("uninitialised memory");
        return;
    }
    for (uint64_t at = address_of(memory), end = at + size; at < end;) {
        Word word = word_first(at, end - at);
        unset_word(word);
        at += word.size;
    }
}

void sennit_rt_shadow_unset(void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    input_unset(p, size);
}
