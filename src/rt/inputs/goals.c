/* goals.c - see goals.h
 *
 * Their names lie in a section of their own; in the region, a byte at the offset of each name says
 * whether some execution of some process reached the goal.
 */
#include "rt/inputs/goals.h"

#include <string.h>

#include "rt/kernel/runtime.h"
#include "rt/libc/api_libc.h"

extern const char __start_sennit_goals[] __attribute__((weak));
extern const char __stop_sennit_goals[] __attribute__((weak));

static uint8_t *reached; /* in the region, indexed like the section */

static size_t section_size(void)
{
    return (size_t)(address_of(__stop_sennit_goals) - address_of(__start_sennit_goals));
}

void goals_init(Region *region)
{
    if (section_size())
        reached = region_alloc(region, section_size());
}

void sennit_rt_sennit_reached(const char *goal)
{
    size_t place = (size_t)(address_of(goal) - address_of(__start_sennit_goals));
    if (rt.self && reached && place < section_size())
        reached[place] = 1;
}

/* A goal named at several places is reached if one of them is; it is listed once. */
static bool is_reached(const char *name, const char *from)
{
    bool found = false;
    for (const char *at = from; at < __stop_sennit_goals; at += strlen(at) + 1)
        found |= strcmp(at, name) == 0 && reached[at - __start_sennit_goals];
    return found;
}

static bool came_before(const char *name)
{
    for (const char *at = __start_sennit_goals; at < name; at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

void goals_each(void (*each)(void *context, const char *name, bool is_reached), void *context)
{
    for (const char *at = __start_sennit_goals; reached && at < __stop_sennit_goals; at += strlen(at) + 1)
        if (*at && !came_before(at))
            each(context, at, is_reached(at, at));
}

uint8_t *goals_map(size_t *size)
{
    *size = reached ? section_size() : 0;
    return reached;
}
