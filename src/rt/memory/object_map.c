/* object_map.c - see object_map.h */
#include "rt/memory/object_map.h"

#include <ctype.h>
#include <string.h>

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/layout.h"

/* ---- Constants ------------------------------------------------------------------------- */

extern const SennitGlobal __start_sennit_constants[] __attribute__((weak));
extern const SennitGlobal __stop_sennit_constants[] __attribute__((weak));

void object_map_each_constant(void (*each)(void *context, const SennitGlobal *constant), void *context)
{
    for (const SennitGlobal *c = __start_sennit_constants; c && c < __stop_sennit_constants; c++)
        each(context, c);
}

static bool find_constant(uint64_t address, ObjectRange *range)
{
    for (const SennitGlobal *c = __start_sennit_constants; c && c < __stop_sennit_constants; c++)
        if (address - address_of(c->address) < c->size) {
            *range = (ObjectRange){.address = address_of(c->address), .size = c->size, .name = c->name};
            return true;
        }
    return false;
}

/* What <ctype.h> reads: entries -128 .. 255. */
static bool find_ctype(uint64_t address, ObjectRange *range)
{
    const struct {
        const void *table;
        uint64_t entry;
    } tables[] = {{*__ctype_b_loc(), sizeof(unsigned short)},
                  {*__ctype_tolower_loc(), sizeof(int)},
                  {*__ctype_toupper_loc(), sizeof(int)}};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t first = address_of(tables[i].table) - 128 * tables[i].entry;
        if (address - first < 384 * tables[i].entry) {
            *range = (ObjectRange){.address = first, .size = 384 * tables[i].entry, .name = "table of <ctype.h>"};
            return true;
        }
    }
    return false;
}

/* ---- Local variables -------------------------------------------------------------------- */

typedef struct Local {
    uint64_t address, size;
    const char *name;
    uint64_t order;     /* the larger the newer */
} Local;

/* Of all threads. The variables of a function that has returned stay here until another one
 * has a variable at the same address. */
static VEC(Local) locals;
static Map local_at;
static uint64_t registered;

void object_map_reset(void)
{
    locals.count = 0;
    map_reset(&local_at);
}

void object_map_add(const void *p, uint64_t size, const char *name)
{
    bool added;
    uint64_t *index = map_insert(&local_at, address_of(p), &added);
    Local local = {address_of(p), size, name, ++registered};
    if (!added) {
        locals.items[*index] = local;
        return;
    }
    *index = locals.count;
    VEC_PUSH(&locals, local);
}

/* A correct program does not read the bytes that were there before. But a symbolic index makes them part of
 * expressions even at places that are never read, and hooks leave different bytes on the stack in each execution. */
void sennit_rt_shadow_local(void *p, uint64_t size, const char *name)
{
    shadow_memory_clear(address_of(p), size);
    memset(p, 0, size);
    object_map_add(p, size, name);
}

static bool find_local(uint64_t address, ObjectRange *range)
{
    const Local *found = NULL;
    for (uint32_t i = 0; i < locals.count; i++) {
        const Local *local = &locals.items[i];
        if (address - local->address < local->size && (!found || local->order > found->order))
            found = local;
    }
    if (found)
        *range = (ObjectRange){.address = found->address, .size = found->size, .name = found->name};
    return found != NULL;
}

bool object_map_find(uint64_t address, ObjectRange *range)
{
    return find_local(address, range) || find_constant(address, range) || find_ctype(address, range);
}
