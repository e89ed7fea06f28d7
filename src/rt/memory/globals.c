/* globals.c - see globals.h
 *
 * Adjacent variables are merged into ranges. A small range is copied back as a whole;
 * of a range above SMALL_RANGE only the chunks that the hooks for writes have noted.
 */
#include "rt/memory/globals.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/kernel/node.h"
#include "rt/memory/given.h"

enum { SMALL_RANGE = 64 << 10, PADDING = 16, CHUNK = 1024 };

extern const SennitGlobal __start_sennit_globals[] __attribute__((weak));
extern const SennitGlobal __stop_sennit_globals[] __attribute__((weak));
/* The runtime's own, which stand for the state of the C library. */
extern const SennitGlobal __start_sennit_stand_ins[];
extern const SennitGlobal __stop_sennit_stand_ins[];
/* All variables of the runtime (cmake/runtime.cmake). */
extern const char __start_sennit_own_data[] __attribute__((weak)), __stop_sennit_own_data[] __attribute__((weak));
extern const char __start_sennit_own_zeros[] __attribute__((weak)), __stop_sennit_own_zeros[] __attribute__((weak));

typedef struct Range {
    uint64_t begin, end;
    unsigned node;        /* whose they are; 0: the program's, or the runtime's */
    bool stands_in;       /* for the state of the C library                     */
    unsigned char *saved;
    uint32_t *written;    /* large ranges: per chunk, was it written in this execution? */
    uint32_t *dirty;      /* chunks written in this execution                          */
    uint32_t dirty_count;
} Range;

static struct {
    Range *ranges;
    uint32_t count;
    const SennitGlobal **sorted; /* by address */
    uint32_t sorted_count;
} globals;

/* ---- Collecting the variables --------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    uint64_t x = address_of((*(const SennitGlobal *const *)a)->address);
    uint64_t y = address_of((*(const SennitGlobal *const *)b)->address);
    return x < y ? -1 : x > y;
}

static void add_records(const SennitGlobal *begin, const SennitGlobal *end)
{
    size_t count = begin ? (address_of(end) - address_of(begin)) / sizeof *begin : 0;
    globals.sorted = mem_resize(globals.sorted, (globals.sorted_count + count + 1) * sizeof *globals.sorted);
    for (size_t i = 0; i < count; i++)
        if (begin[i].size)
            globals.sorted[globals.sorted_count++] = &begin[i];
}

static void sort_records(void)
{
    add_records(__start_sennit_globals, __stop_sennit_globals);
    add_records(__start_sennit_stand_ins, __stop_sennit_stand_ins);
    for (unsigned node = 1; node <= node_count(); node++)
        add_records(node_get(node)->globals, node_get(node)->globals_end);
    add_records(given_variable(), given_variable() + 1);
    qsort(globals.sorted, globals.sorted_count, sizeof *globals.sorted, by_address);
}

/* A range may include padding only: other memory between two variables of the program could be the runtime's own state,
 * as the least gap between two of the runtime's variables may be. */
static bool continues(const Range *range, const Range *next)
{
    if (range->node != next->node || range->stands_in != next->stands_in)
        return false;
    return next->begin <= range->end || (!range->stands_in && next->begin - range->end < PADDING);
}

static bool is_stand_in(const SennitGlobal *record)
{
    return record >= __start_sennit_stand_ins && record < __stop_sennit_stand_ins;
}

static unsigned node_of_record(const SennitGlobal *record)
{
    unsigned node = node_count();
    while (node && (address_of(record) < address_of(node_get(node)->globals) ||
                    address_of(record) >= address_of(node_get(node)->globals_end)))
        node--;
    return node;
}

static void add_to_ranges(Range range)
{
    Range *last = globals.count ? &globals.ranges[globals.count - 1] : NULL;
    if (last && continues(last, &range)) {
        if (range.end > last->end)
            last->end = range.end;
        return;
    }
    globals.ranges = mem_resize(globals.ranges, (globals.count + 1) * sizeof *globals.ranges);
    globals.ranges[globals.count++] = range;
}

static void save(Range *range)
{
    uint64_t size = range->end - range->begin;
    range->saved = mem_alloc(size);
    memcpy(range->saved, (const void *)(uintptr_t)range->begin, size);
    if (size > SMALL_RANGE && !in_arena(range->begin)) { /* writes to that are not noted */
        uint64_t chunks = size / CHUNK + 1;
        range->written = mem_alloc(chunks * sizeof *range->written);
        range->dirty = mem_alloc(chunks * sizeof *range->dirty);
        rt.many_globals = true;
    }
}

void globals_init(uint64_t *begin, uint64_t *end)
{
    sort_records();
    for (uint32_t i = 0; i < globals.sorted_count; i++) {
        const SennitGlobal *record = globals.sorted[i];
        uint64_t address = address_of(record->address);
        add_to_ranges((Range){.begin = address, .end = address + record->size + record->red_zone,
                              .node = node_of_record(record), .stands_in = is_stand_in(record)});
    }
    for (uint32_t i = 0; i < globals.count; i++)
        save(&globals.ranges[i]);
    *begin = *end = 0;
    for (uint32_t i = 0; i < globals.count; i++) {
        const Range *range = &globals.ranges[i];
        if (in_arena(range->begin))
            continue;
        *begin = *begin ? *begin : range->begin;
        *end = range->end;
    }
}

/* ---- Restoring -------------------------------------------------------------------- */

static void restore_chunk(const Range *range, uint32_t chunk)
{
    uint64_t offset = (uint64_t)chunk * CHUNK;
    uint64_t rest = range->end - range->begin - offset;
    memcpy((char *)(uintptr_t)range->begin + offset, range->saved + offset, rest < CHUNK ? rest : CHUNK);
}

static void restore_range(Range *range)
{
    if (!range->written) {
        memcpy((void *)(uintptr_t)range->begin, range->saved, range->end - range->begin);
        return;
    }
    for (uint32_t i = 0; i < range->dirty_count; i++) {
        restore_chunk(range, range->dirty[i]);
        range->written[range->dirty[i]] = 0;
    }
    range->dirty_count = 0;
}

void globals_restore(void)
{
    for (uint32_t i = 0; i < globals.count; i++)
        restore_range(&globals.ranges[i]);
}

void globals_restore_node(unsigned node)
{
    for (uint32_t i = 0; i < globals.count; i++)
        if (globals.ranges[i].node == node)
            restore_range(&globals.ranges[i]);
}

void globals_restore_within(uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < globals.count; i++) {
        const Range *range = &globals.ranges[i];
        if (begin >= range->begin && end <= range->end)
            memcpy((void *)(uintptr_t)begin, range->saved + (begin - range->begin), end - begin);
    }
}

static void save_chunks(Range *range, RtImage *image)
{
    image_add(image, &range->dirty_count, sizeof range->dirty_count);
    for (uint32_t i = 0; i < range->dirty_count; i++) {
        uint64_t offset = (uint64_t)range->dirty[i] * CHUNK, rest = range->end - range->begin - offset;
        image_add(image, &range->written[range->dirty[i]], sizeof range->written[0]);
        image_add(image, (char *)(uintptr_t)range->begin + offset, rest < CHUNK ? rest : CHUNK);
    }
}

void globals_save(RtImage *image)
{
    for (uint32_t i = 0; i < globals.count && !image_is_full(image); i++) {
        Range *range = &globals.ranges[i];
        if (range->written)
            save_chunks(range, image);
        else if (!range->stands_in || image->whole)
            image_add(image, (void *)(uintptr_t)range->begin, range->end - range->begin);
    }
}

void globals_restore_large(void)
{
    for (uint32_t i = 0; rt.many_globals && i < globals.count; i++)
        if (globals.ranges[i].written)
            restore_range(&globals.ranges[i]);
}

static void mark_written(Range *range, uint64_t begin, uint64_t end)
{
    if (!range->written || begin >= range->end || end <= range->begin)
        return;
    uint64_t first = begin > range->begin ? (begin - range->begin) / CHUNK : 0;
    uint64_t last = ((end < range->end ? end : range->end) - 1 - range->begin) / CHUNK;
    for (uint64_t chunk = first; chunk <= last; chunk++)
        if (!range->written[chunk]) {
            range->written[chunk] = 1;
            range->dirty[range->dirty_count++] = (uint32_t)chunk;
        }
}

void globals_note_write_slow(uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < globals.count; i++)
        mark_written(&globals.ranges[i], address, address + size);
}

/* ---- Queries ------------------------------------------------------------------------ */

/* How many variables begin at the address or before it. */
static uint32_t count_before(uint64_t address)
{
    uint32_t low = 0, high = globals.sorted_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (address_of(globals.sorted[middle]->address) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const SennitGlobal *globals_find(uint64_t address)
{
    uint32_t count = count_before(address);
    const SennitGlobal *found = count ? globals.sorted[count - 1] : NULL;
    return found && address - address_of(found->address) < found->size ? found : NULL;
}

static bool lies_between(uint64_t address, const char *begin, const char *end)
{
    return address >= address_of(begin) && address < address_of(end);
}

bool globals_are_hidden(uint64_t address)
{
    return (lies_between(address, __start_sennit_own_data, __stop_sennit_own_data) ||
            lies_between(address, __start_sennit_own_zeros, __stop_sennit_own_zeros)) &&
           !globals_find(address);
}

const SennitGlobal *globals_find_by_redzone(uint64_t address)
{
    uint32_t count = count_before(address);
    if (!count)
        return NULL;
    const SennitGlobal *found = globals.sorted[count - 1];
    const SennitGlobal *next = count < globals.sorted_count ? globals.sorted[count] : NULL;
    uint64_t end = address_of(found->address) + found->size;
    if (address - address_of(found->address) >= found->size + found->red_zone)
        return NULL;
    bool is_fence = !*found->name;
    return next && (is_fence || address_of(next->address) - address < address - end) ? next : found;
}

void globals_each(void (*each)(void *context, const SennitGlobal *global), void *context)
{
    for (uint32_t i = 0; i < globals.sorted_count; i++)
        each(context, globals.sorted[i]);
}

void globals_each_range(void (*each)(void *context, uint64_t begin, uint64_t end), void *context)
{
    for (uint32_t i = 0; i < globals.count; i++)
        each(context, globals.ranges[i].begin, globals.ranges[i].end);
}

static void each_change_of(const Range *range, void (*each)(void *context, uint64_t begin, uint64_t end), void *context)
{
    enum { PIECE = 64 };
    const char *now = (const char *)(uintptr_t)range->begin;
    uint64_t size = range->end - range->begin;
    if (memcmp(now, range->saved, size) == 0)
        return;
    for (uint64_t at = 0, length; at < size; at += length) {
        length = size - at < PIECE ? size - at : PIECE;
        if (memcmp(now + at, range->saved + at, length) != 0)
            each(context, range->begin + at, range->begin + at + length);
    }
}

void globals_each_change(void (*each)(void *context, uint64_t begin, uint64_t end), void *context)
{
    for (uint32_t i = 0; i < globals.count; i++)
        each_change_of(&globals.ranges[i], each, context);
}

void globals_each_range_of(unsigned node, void (*each)(void *context, uint64_t begin, uint64_t end), void *context)
{
    for (uint32_t i = 0; i < globals.count; i++)
        if (globals.ranges[i].node == node)
            each(context, globals.ranges[i].begin, globals.ranges[i].end);
}

uint64_t globals_address(const char *name)
{
    uint64_t address = 0;
    for (uint32_t i = 0; i < globals.sorted_count; i++) {
        if (strcmp(globals.sorted[i]->name, name) != 0)
            continue;
        if (address)
            return 0;
        address = address_of(globals.sorted[i]->address);
    }
    return address;
}
