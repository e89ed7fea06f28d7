/* shadow_reach.c - memory that code which is not instrumented may read
 *
 * What such a function makes of values that depend on inputs is unknown. Everything that it
 * can get at through its arguments is taken as it is, which is counted; a value that it leaves
 * in the same place then is what its expression says.
 */
#include <string.h>

#include "rt/inputs/tracking.h"
#include "rt/memory/object_map.h"

enum { MOST_OBJECTS = 256, PAGE = 4096, GRAIN = 1 << SENNIT_SHADOW_GRAIN };

typedef struct Reach {
    const char *what;
    uint32_t count;
    uint64_t seen[MOST_OBJECTS];   /* where objects begin that were looked at */
} Reach;

static bool may_have_shadow(uint64_t address)
{
    return sennit_rt_shadow_map[(address >> SENNIT_SHADOW_GRAIN) & (SENNIT_SHADOW_MAP - 1)] != 0;
}

/* Up to 8 bytes. Did they depend on inputs? */
static bool concretise_word(uint64_t address, uint64_t size, const char *what)
{
    const void *bytes = (const void *)(uintptr_t)address;
    uint64_t value = 0;
    uint32_t s = shadow_memory_get(address, bytes, 8 * (uint32_t)size);
    memcpy(&value, bytes, size);
    if (s)
        tracking_concretise(shadow_expr(s), value, what);
    return s != 0;
}

void shadow_memory_concretise(uint64_t address, uint64_t size, const char *what)
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

/* ---- What pointers lead to -------------------------------------------------------------- */

static bool is_new(Reach *reach, uint64_t begin)
{
    for (uint32_t i = 0; i < reach->count; i++)
        if (reach->seen[i] == begin)
            return false;
    if (reach->count == MOST_OBJECTS) { /* what lies behind is not known, so it counts */
        tracking_note_concretised(reach->what);
        return false;
    }
    reach->seen[reach->count++] = begin;
    return true;
}

static void look(Reach *reach, uint64_t address);

static void follow_pointers(Reach *reach, uint64_t begin, uint64_t size)
{
    ObjectRange object;
    for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= begin + size; at += 8) {
        uint64_t value;
        memcpy(&value, (const void *)(uintptr_t)at, 8);
        if (shadow_find_object(value, &object))
            look(reach, value);
    }
}

/* A local variable of unknown size: as far as there are values that depend on inputs. */
static void look_on(Reach *reach, uint64_t address)
{
    uint64_t end = (address | (PAGE - 1)) + 1;
    bool more = true;
    for (uint64_t at = address; at + 8 <= end && (more || at < address + 16); at += 8)
        more = concretise_word(at, 8, reach->what);
    follow_pointers(reach, address, 8);
}

static void look(Reach *reach, uint64_t address)
{
    ObjectRange object;
    bool known = shadow_find_object(address, &object);
    if ((!known && !in_stacks(address)) || !is_new(reach, known ? object.address : address))
        return;
    if (!known) {
        look_on(reach, address);
        return;
    }
    shadow_memory_concretise(object.address, object.size, reach->what);
    follow_pointers(reach, object.address, object.size);
}

void tracking_concretise_reached(const void *p, const char *what)
{
    Reach reach = {.what = what};
    if (shadow_memory_used())
        look(&reach, address_of(p));
}
