/* memory_check.c - see memory_check.h */
#include "rt/memory/memory_check.h"

#include <stdio.h>

#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/race.h"
#include "rt/detect/race_verify.h"
#include "rt/inputs/shadow_address.h"
#include "rt/inputs/shadow_size.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/thread.h"
#include "rt/memory/pages.h"

/* ---- Reports -------------------------------------------------------------------------------- */

static void describe_place(uint64_t site, char *text, size_t size)
{
    const SennitSite *place = (const SennitSite *)(uintptr_t)site;
    if (place && place->file)
        snprintf(text, size, "%s:%u", place->file, place->line);
    else
        snprintf(text, size, "an unknown place");
}

/* The words for what a block is, and for its beginning and end. */
static const struct BlockWords {
    const char *noun, *begun, *ended, *dead;
} words[] = {
    [BLOCK_HEAP] = {"block", "allocated", "freed", "freed"},
    [BLOCK_LOCAL] = {"local variable", "declared", "out of scope", "dead"},
    [BLOCK_THREAD_LOCAL] = {"thread-local variable", "", "whose thread ended", "dead"},
    [BLOCK_STREAM] = {"stream", "opened", "closed", "closed"},
    [BLOCK_KEY] = {"key", "created", "deleted", "deleted"},
};

static void report_block(BugKind kind, const Block *block, uint64_t address, const char *what)
{
    char place[80], who[48], extent[40] = "";
    Finding *finding = bug_add(kind);
    finding->address = address;
    const struct BlockWords *word = &words[block->kind];
    if (!block_is_stand_in(block))
        snprintf(extent, sizeof extent, " of %llu bytes", (unsigned long long)block->size);
    int used = snprintf(finding->text, sizeof finding->text, "%s %s%s", what, word->noun, extent);
    if (block->site) {
        describe_place(block->site, place, sizeof place);
        used += snprintf(finding->text + used, sizeof finding->text - (size_t)used, " %s at %s", word->begun, place);
    }
    if (block->free_site && used > 0 && (size_t)used < sizeof finding->text) {
        describe_place(block->free_site, place, sizeof place);
        name_agent(block->freed_by, who, sizeof who);
        snprintf(finding->text + used, sizeof finding->text - (size_t)used, ", %s at %s by %s",
                 word->ended, place, who);
        bug_add_site(finding, block->free_site);
        bug_add_agent(finding, block->freed_by);
    }
    if (block->site)
        bug_add_site(finding, block->site);
    if (bug_repeats(finding))
        rt.ex->finding_count--;
    else
        bug_noted();
}

void memory_stop_at(BugKind kind, const Block *block, uint64_t address, const char *what)
{
    report_block(kind, block, address, what);
    thread_halt();
}

/* ---- Checks --------------------------------------------------------------------------------- */

/* The offset of the first byte of the range that may not be accessed; `size` if all may. */
static uint64_t first_bad(uint64_t address, uint64_t size, bool writes)
{
    for (uint64_t i = 0; i < size;) {
        uint64_t at = address + i;
        uint8_t shadow = in_heaps(at) ? *memory_shadow_of(at) : 0;
        if (shadow == SHADOW_READABLE && !writes)
            shadow = 8;
        if (shadow > 8 || (at & 7) >= shadow)
            return i;
        i += 8 - (at & 7);
        if (shadow < 8 && i < size)
            return i - (8 - shadow);
        if (shadow < 8 && i >= size && (address + size - 1) % 8 >= shadow)
            return size - 1;
    }
    return size;
}

/* Is the access inside a block of symbolic size? If so, whether it is inside for other inputs is decided. */
static bool inside_sized(uint64_t address, uint64_t size, bool in_step)
{
    const Block *block = memory_find_block(address);
    if (!block || !block->room || block->freed || address - block->address >= block->room)
        return false;
    uint64_t end = address - block->address + size;
    if (!shadow_address_is_settled(address, size))
        shadow_size_decide(block->size_shadow, end, end <= block->size, in_step);
    return end <= block->size;
}

/* Did the last mprotect change the rights of this word, unordered with the access? */
static bool protect_races(const Block *block, uint64_t address)
{
    const RaceCell *cell = race_cell(address);
    for (unsigned i = 0; i < 2 && cell->execution == rt.execution; i++) {
        const RaceRecord *record = &cell->record[i];
        if (record->lanes && record->agent == block->protect_by && record->clock == block->protect_clock)
            return !race_ordered(record->agent, record->clock) && race_is_real(record->agent, record->clock);
    }
    return false;
}

void memory_check_slow(uint64_t address, uint64_t size, bool writes, bool in_step)
{
    char what[96];
    if (!in_heaps(address)) {
        redzone_check(address, size, writes);
        return;
    }
    pages_open(address, size);
    uint64_t bad = first_bad(address, size, writes);
    if (bad >= size || (tracking.on && inside_sized(address, size, in_step)))
        return;
    const Block *block = memory_find_block(address + bad);
    const char *verb = writes ? "write" : "read";
    if (!block)
        report_bug(BUG_HEAP_BOUNDS, "%s of %llu bytes of heap memory that was never allocated", verb,
                   (unsigned long long)size);
    bool inside = address + bad >= block->address && address + bad < block_end(block);
    if (inside && (block->freed || *memory_shadow_of(address + bad) == SHADOW_FREED)) {
        if (block_is_stand_in(block))
            snprintf(what, sizeof what, "use of the %s", words[block->kind].dead);
        else
            snprintf(what, sizeof what, "%s of %llu bytes in the %s", verb, (unsigned long long)size,
                     words[block->kind].dead);
        report_block(BUG_USE_AFTER_FREE, block, address, what);
        if (race_is_forced(thread_get(block->freed_by)->strand, block->free_step))
            thread_halt();
        return; /* the free could as well have come second: what follows must not depend on it */
    }
    bool closed = inside && (block->mapped || block->protect_clock);
    if (closed && protect_races(block, address + bad))
        return; /* mprotect could as well have come second: a race, which is reported next */
    if (closed)
        report_bug(BUG_CRASH, "%s of %llu bytes of memory that is protected against it", verb,
                   (unsigned long long)size);
    if (address + bad < block->address)
        snprintf(what, sizeof what, "%s of %llu bytes, %llu before the", verb, (unsigned long long)size,
                 (unsigned long long)(block->address - address));
    else
        snprintf(what, sizeof what, "%s of %llu bytes, at offset %llu of the", verb, (unsigned long long)size,
                 (unsigned long long)(address - block->address));
    memory_stop_at(block->kind == BLOCK_HEAP ? BUG_HEAP_BOUNDS : BUG_BOUNDS, block, address, what);
}
