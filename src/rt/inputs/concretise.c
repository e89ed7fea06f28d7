/* concretise.c - see concretise.h */
#include "rt/inputs/concretise.h"

#include <stdio.h>
#include <string.h>

#include "rt/inputs/branch.h"
#include "rt/inputs/shadow_address.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/memory/object_map.h"

/* ---- Counting ------------------------------------------------------------------------------ */

static void add_concretised(TrackingShared *shared, uint64_t site, const char *what, uint64_t count)
{
    shared->concretised_total += count;
    for (uint32_t i = 0; i < shared->concretised_count; i++)
        if (shared->concretised[i].site == site) {
            shared->concretised[i].count += count;
            return;
        }
    if (site == 0 || shared->concretised_count == MAX_CONCRETISED)
        return; /* counted in the total only */
    Concretised *entry = &shared->concretised[shared->concretised_count];
    *entry = (Concretised){.site = site, .count = count};
    snprintf(entry->what, sizeof entry->what, "%s", what);
    shared->concretised_count++;
}

void concretise_note(const char *what)
{
    add_concretised(tracking.shared, site_name(sennit_rt_site), what, 1);
}

void concretise_add(uint64_t site, const char *what, uint64_t count)
{
    if (tracking.on)
        add_concretised(tracking.shared, site, what, count);
}

void concretise_each(void (*each)(void *context, uint64_t site, const char *what, uint64_t count),
                                void *context)
{
    const TrackingShared *shared = tracking.shared;
    uint64_t rest = tracking.on ? shared->concretised_total : 0;
    for (uint32_t i = 0; tracking.on && i < shared->concretised_count; i++) {
        const Concretised *entry = &shared->concretised[i];
        each(context, entry->site, entry->what, entry->count);
        rest -= entry->count < rest ? entry->count : rest;
    }
    if (rest)
        each(context, 0, "value", rest);
}

/* ---- Values ---------------------------------------------------------------------------------- */

void concretise_value(ExprId value, Bits concrete, const char *what)
{
    Bits whole;
    if (expr_sort(tracking.pool, value) > 64 && session_evaluate(tracking.session, value, &whole))
        concrete = whole; /* callers know the low half only */
    ExprId constant = expr_const(tracking.pool, expr_sort(tracking.pool, value), concrete);
    ExprId condition = expr_binary(tracking.pool, EXPR_EQ, value, constant);
    if (!rt.self || expr_is_const(tracking.pool, condition, NULL) || branch_record(condition))
        return;
    concretise_note(what);
    branch_take_step(session_assumption(tracking.session, condition), true);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

enum { GRAIN = 1 << SENNIT_SHADOW_GRAIN };

static bool may_have_shadow(uint64_t address)
{
    return sennit_rt_shadow_map[(address >> SENNIT_SHADOW_GRAIN) & (SENNIT_SHADOW_MAP - 1)] != 0;
}

/* Up to 8 bytes; answers whether they were symbolic. */
static bool concretise_word(uint64_t address, uint64_t size, const char *what)
{
    const void *bytes = (const void *)(uintptr_t)address;
    uint64_t value = 0;
    uint32_t s = shadow_memory_get(address, bytes, 8 * (uint32_t)size);
    memcpy(&value, bytes, size);
    if (s)
        concretise_value(shadow_expr(s), value, what);
    return s != 0;
}

void concretise_memory(uint64_t address, uint64_t size, const char *what)
{
    for (uint64_t at = 0; at < size;) {
        uint64_t left = GRAIN - (address + at) % GRAIN;
        if (!may_have_shadow(address + at) && !may_have_shadow(address + at + left - 1)) {
            at += left;
            continue;
        }
        uint64_t count = size - at < 8 ? size - at : 8;
        concretise_word(address + at, count, what);
        at += count;
    }
}

/* ---- Memory that uninstrumented code may read ------------------------------------------------
 *
 * What such a function computes from symbolic values is unknown. Everything that it can reach through its arguments is
 * concretised; a value that it leaves unchanged then still is what its expression says.
 */

enum { MOST_OBJECTS = 256, PAGE = 4096 };

typedef struct Reach {
    const char *what;
    uint32_t count;
    uint64_t seen[MOST_OBJECTS];   /* where the objects begin that were visited */
} Reach;

static bool is_new(Reach *reach, uint64_t begin)
{
    for (uint32_t i = 0; i < reach->count; i++)
        if (reach->seen[i] == begin)
            return false;
    if (reach->count == MOST_OBJECTS) { /* the rest is not examined, so it counts */
        concretise_note(reach->what);
        return false;
    }
    reach->seen[reach->count++] = begin;
    return true;
}

static void visit(Reach *reach, uint64_t address);

static void visit_pointers(Reach *reach, uint64_t begin, uint64_t size)
{
    ObjectRange object;
    for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= begin + size; at += 8) {
        uint64_t value;
        memcpy(&value, (const void *)(uintptr_t)at, 8);
        if (shadow_address_object(value, &object))
            visit(reach, value);
    }
}

/* A local variable of unknown size: as far as there are symbolic values. */
static void visit_unknown(Reach *reach, uint64_t address)
{
    uint64_t end = (address | (PAGE - 1)) + 1;
    bool more = true;
    for (uint64_t at = address; at + 8 <= end && (more || at < address + 16); at += 8)
        more = concretise_word(at, 8, reach->what);
    visit_pointers(reach, address, 8);
}

static void visit(Reach *reach, uint64_t address)
{
    ObjectRange object;
    bool known = shadow_address_object(address, &object);
    if ((!known && !in_stacks(address)) || !is_new(reach, known ? object.address : address))
        return;
    if (!known) {
        visit_unknown(reach, address);
        return;
    }
    concretise_memory(object.address, object.size, reach->what);
    visit_pointers(reach, object.address, object.size);
}

void concretise_reached(const void *p, const char *what)
{
    Reach reach = {.what = what};
    if (shadow_memory_used())
        visit(&reach, address_of(p));
}

/* ---- Hooks ------------------------------------------------------------------------------------- */

void sennit_rt_shadow_concrete(uint32_t s, uint64_t value, const char *what, const SennitSite *site)
{
    sennit_rt_site = site;
    concretise_value(shadow_expr(s), join_halves(value, 0), what);
}

void sennit_rt_shadow_untracked(const void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    concretise_memory(address_of(p), size, "floating point");
}
