/* touches.c - see touches.h */
#include "rt/kernel/touches.h"

#include <string.h>

#include "rt/kernel/node.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/section.h"

static LiveAccess *nth(LiveAccesses *touches, unsigned n)
{
    return n < TOUCHES_FIRST ? &touches->first[n] : &touches->more[n - TOUCHES_FIRST];
}

static LiveAccess *add(LiveAccesses *touches)
{
    if (touches->count == TOUCHES_FIRST + touches->capacity) {
        LiveAccess *old = touches->more;
        unsigned used = touches->capacity;
        touches->capacity = used ? 2 * used : 64;
        touches->more = transient_alloc(touches->capacity * sizeof *old);
        if (used)
            memcpy(touches->more, old, used * sizeof *old);
    }
    return nth(touches, touches->count++);
}

static Access *touch_one(LiveAccesses *touches, uint64_t resource, Mode mode, const int64_t *live)
{
    Access *access = step_touch(resource, mode);
    if (!rt.self)
        return access;
    LiveAccess *added = add(touches);
    *added = (LiveAccess){.live = live, .before = *live};
    added->access = touches->running ? rt.ex->access_count - 1 : rt.announced.count - 1u;
    return access;
}

/* A thread of a node with others is stopped here when one of them has ended the node. */
Access *touch(LiveAccesses *touches, uint64_t resource, Mode mode, const int64_t *live)
{
    if (UNLIKELY(rt.node) && !touches->count && !touches->running && rt.self && node_may_end()) {
        unsigned node = rt.self->node;
        touch_one(touches, node_resource(node), MODE_READ, node_running(node));
        touches->node = true;
    }
    return touch_one(touches, resource, mode, live);
}

void touch_guard(LiveAccesses *touches, uint64_t resource, Mode mode, const int64_t *live, int64_t mask,
                 Relation relation, int64_t operand)
{
    Access *access = touch(touches, resource, mode, live);
    step_guard(access, live, relation, operand);
    access->mask = (uint64_t)mask;
}

void touch_lanes(LiveAccesses *touches, Access *access, uint8_t lanes)
{
    access->lanes = lanes;
    nth(touches, touches->count - 1)->first_lane = (uint8_t)__builtin_ctz(lanes);
}

void touches_begin(LiveAccesses *touches)
{
    if (!rt.self)
        return;
    uint32_t base = step_event()->first_access + section_offset(rt.self);
    touches->running = true;
    for (unsigned i = 0; i < touches->count; i++) {
        nth(touches, i)->access += base;
        nth(touches, i)->before = *nth(touches, i)->live;
    }
    touches_end(touches);
    if (UNLIKELY(touches->node) && !*node_running(rt.self->node)) {
        step_done();
        thread_leave();
    }
}

/* The bytes of the value in the lanes of the access. */
static int64_t part_of(int64_t value, const LiveAccess *part, const Access *access)
{
    if (LIKELY(access->lanes == LANES_ALL))
        return value;
    uint64_t bits = 8u * (unsigned)__builtin_popcount(access->lanes);
    uint64_t shifted = (uint64_t)value >> 8 * part->first_lane;
    return (int64_t)(bits < 64 ? shifted & (((uint64_t)1 << bits) - 1) : shifted);
}

void touches_end(LiveAccesses *touches)
{
    for (unsigned i = 0; i < touches->count; i++) {
        const LiveAccess *part = nth(touches, i);
        Access *access = &rt.ex->accesses[part->access];
        access->before = part_of(part->before, part, access);
        access->after = part_of(*part->live, part, access);
        if (access->mode == MODE_READ && access->after != access->before)
            access->mode = MODE_WRITE;
    }
}
