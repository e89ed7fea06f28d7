/* stale.c - see stale.h
 *
 * Reports may be made by another process than the one that ran the program; so the coherence order is computed from the
 * choices that the events have.
 */
#include "rt/weak/stale.h"

#include "base/vec.h"
#include "rt/kernel/runtime.h"

typedef VEC(uint32_t) WeakOrder;

static const Access *weak_access(const Event *event)
{
    const Access *access = &rt.ex->accesses[event->first_access];
    bool weak = event->access_count && event->choice_count && access->order != ORDER_STRONG;
    return weak && access->mode != MODE_NONE ? access : NULL;
}

static const Event *event_of(const Access *access)
{
    if (!rt.ex || access < rt.ex->accesses || access >= rt.ex->accesses + rt.ex->access_count)
        return NULL;
    uint32_t position = (uint32_t)(access - rt.ex->accesses), low = 0, high = rt.ex->event_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rt.ex->events[middle].first_access < position)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < rt.ex->event_count && rt.ex->events[low].first_access == position; low++)
        if (rt.ex->events[low].access_count)
            return &rt.ex->events[low];
    return NULL;
}

/* A store comes before the last k writes, an update behind the kth before the last: that is the same place. */
static void insert(WeakOrder *order, uint32_t event, uint32_t k)
{
    VEC_PUSH(order, event);
    for (uint32_t i = order->count - 1; k > 0 && i > 0; i--, k--) {
        order->items[i] = order->items[i - 1];
        order->items[i - 1] = event;
    }
}

uint32_t stale_newer(const Access *access)
{
    const Event *step = access->order == ORDER_STRONG ? NULL : event_of(access);
    if (!step || !step->choice_count || !rt.ex->choices[step->first_choice].taken)
        return UINT32_MAX;
    WeakOrder order = {0};
    for (const Event *event = rt.ex->events; event < step; event++) {
        const Access *other = weak_access(event);
        if (other && other->resource == access->resource && other->lanes == access->lanes && other->mode != MODE_READ)
            insert(&order, (uint32_t)(event - rt.ex->events), rt.ex->choices[event->first_choice].taken);
    }
    uint32_t newest = order.count ? order.items[order.count - 1] : UINT32_MAX;
    VEC_FREE(&order);
    return newest;
}
