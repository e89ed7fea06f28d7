/* cover.c - see cover.h
 *
 * Marks are bytes, and setting one twice is harmless, so workers share the map without a lock.
 */
#include "rt/detect/cover.h"

#include <string.h>

#include "rt/kernel/runtime.h"

extern const SennitCover __start_sennit_cover[] __attribute__((weak));
extern const SennitCover __stop_sennit_cover[] __attribute__((weak));

static struct {
    uint8_t *map;       /* in the region: the marks of all modules one after another */
    uint32_t size;
    uint32_t modules;
    bool separate;      /* marks are those of one execution */
} cover;

static uint32_t padded(const SennitCover *module)
{
    return (module->mark_count + 7) / 8 * 8;
}

void cover_init(Region *region)
{
    cover.modules = (uint32_t)(__stop_sennit_cover - __start_sennit_cover);
    for (uint32_t i = 0; i < cover.modules; i++)
        cover.size += padded(&__start_sennit_cover[i]);
    if (cover.size)
        cover.map = region_alloc(region, cover.size);
}

/* ---- Collecting ----------------------------------------------------------------- */

static bool add_module(const SennitCover *module, uint8_t *map)
{
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < module->mark_count; i += 8) {
        uint64_t set, known;
        memcpy(&set, module->marks + i, 8);
        memcpy(&known, map + i, 8);
        if (LIKELY((set & ~known) == 0))
            continue;
        fresh = 1;
        known |= set;
        memcpy(map + i, &known, 8);
    }
    return fresh != 0;
}

bool cover_collect(void)
{
    bool fresh = false;
    uint8_t *map = cover.map;
    for (uint32_t i = 0; i < cover.modules && map; i++) {
        fresh |= add_module(&__start_sennit_cover[i], map);
        map += padded(&__start_sennit_cover[i]);
    }
    return fresh;
}

void cover_reset(void)
{
    for (uint32_t i = 0; i < cover.modules && cover.separate; i++)
        memset(__start_sennit_cover[i].marks, 0, __start_sennit_cover[i].mark_count);
}

void cover_separate(void) { cover.separate = true; }
bool cover_is_separate(void) { return cover.separate; }

void cover_outcomes(uint8_t *taken)
{
    for (uint32_t i = 0; i < cover.modules; i++) {
        const SennitCover *module = &__start_sennit_cover[i];
        for (uint32_t k = 0; k < module->point_count; k++)
            if (module->points[k].kind == SENNIT_COVER_BRANCH)
                *taken++ = module->marks[module->points[k].mark];
    }
}

/* ---- Reading -------------------------------------------------------------------------- */

static void describe(const SennitCoverPoint *point, bool hit, CoverPoint *result)
{
    *result =
        (CoverPoint){.place = {point->site->file, point->site->function, point->site->line, point->site->column},
                       .kind = (CoverKind)point->kind,
                       .ordinal = point->ordinal,
                       .outcome = point->outcome,
                       .target = point->target,
                       .hit = hit};
}

bool cover_exists(void) { return cover.size > 0; }

void cover_each(void (*each)(void *context, const CoverPoint *point), void *context)
{
    const uint8_t *map = cover.map;
    for (uint32_t i = 0; i < cover.modules && map; i++) {
        const SennitCover *module = &__start_sennit_cover[i];
        for (uint32_t k = 0; k < module->point_count; k++) {
            CoverPoint point;
            describe(&module->points[k], map[module->points[k].mark] != 0, &point);
            each(context, &point);
        }
        map += padded(module);
    }
}

CoverCount cover_count(void)
{
    CoverCount count = {0};
    const uint8_t *map = cover.map;
    for (uint32_t i = 0; i < cover.modules && map; i++) {
        const SennitCover *module = &__start_sennit_cover[i];
        for (uint32_t k = 0; k < module->point_count; k++) {
            const SennitCoverPoint *point = &module->points[k];
            if (point->kind != SENNIT_COVER_BRANCH)
                continue;
            count.outcomes++;
            count.taken += map[point->mark] != 0;
        }
        map += padded(module);
    }
    return count;
}

uint8_t *cover_map(size_t *size)
{
    *size = cover.size;
    return cover.map;
}
