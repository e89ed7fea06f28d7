/* groups.c - see groups.h
 *
 * A group is named by one of its resources, which is not listed; so resources that are alone are not either.
 */
#include "core/graph/groups.h"

#include <string.h>

typedef struct Member {
    uint64_t resource, group;
} Member;

struct Groups {
    Region *region;
    Member *members;
    uint32_t count, room;
};

Groups *groups_create(Region *region)
{
    Groups *groups = region_alloc(region, sizeof *groups);
    *groups = (Groups){.region = region};
    return groups;
}

void groups_destroy(Groups *groups)
{
    if (groups->members)
        region_free(groups->region, groups->members, groups->room * sizeof *groups->members);
    region_free(groups->region, groups, sizeof *groups);
}

uint64_t groups_find(const Groups *groups, uint64_t resource)
{
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->members[i].resource == resource)
            return groups->members[i].group;
    return resource;
}

static void add_member(Groups *groups, Member member)
{
    if (groups->count == groups->room) {
        uint32_t room = groups->room ? 2 * groups->room : 16;
        Member *members = region_alloc(groups->region, room * sizeof *members);
        if (groups->members) {
            memcpy(members, groups->members, groups->count * sizeof *members);
            region_free(groups->region, groups->members, groups->room * sizeof *members);
        }
        groups->members = members;
        groups->room = room;
    }
    groups->members[groups->count++] = member;
}

bool groups_join(Groups *groups, uint64_t a, uint64_t b)
{
    uint64_t first = groups_find(groups, a), second = groups_find(groups, b);
    if (first == second)
        return false;
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->members[i].group == second)
            groups->members[i].group = first;
    add_member(groups, (Member){second, first}); /* its name was not listed */
    return true;
}

bool groups_join_step(Groups *groups, const Access *accesses, uint32_t count)
{
    bool joined = false;
    const Access *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (accesses[i].mode == MODE_NONE || accesses[i].order != ORDER_STRONG)
            continue;
        if (first && groups_join(groups, first->resource, accesses[i].resource))
            joined = true;
        first = &accesses[i];
    }
    return joined;
}

bool groups_adopt(Groups *groups, const Groups *others)
{
    bool joined = false;
    for (uint32_t i = 0; i < others->count; i++)
        joined |= groups_join(groups, others->members[i].group, others->members[i].resource);
    return joined;
}
