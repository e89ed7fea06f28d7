/* override.c - see override.h */
#include "rt/weak/override.h"

#include <assert.h>
#include <string.h>

uint32_t override_count, override_version;
static Override set[MOST_OVERRIDES];

void override_set(const Override *overrides, uint32_t count)
{
    assert(count <= MOST_OVERRIDES);
    memcpy(set, overrides, count * sizeof *overrides);
    override_count = count;
    override_version++;
}

/* Both together. */
static uint32_t join(uint32_t a, uint32_t b, bool loads)
{
    bool acquires = order_acquires(a) || order_acquires(b);
    bool releases = !loads && (order_releases(a) || order_releases(b));
    if (a == C_SEQ_CST || b == C_SEQ_CST)
        return C_SEQ_CST;
    return acquires && releases ? C_ACQ_REL : acquires ? C_ACQUIRE : releases ? C_RELEASE : C_RELAXED;
}

uint32_t override_order(uint64_t site, uint32_t order, bool loads)
{
    for (uint32_t i = 0; i < override_count; i++)
        if (set[i].site == site && !set[i].fence)
            order = join(order, set[i].order, loads);
    return order;
}

uint32_t override_fence(uint64_t site)
{
    for (uint32_t i = 0; i < override_count; i++)
        if (set[i].site == site && set[i].fence)
            return set[i].order;
    return C_RELAXED;
}
