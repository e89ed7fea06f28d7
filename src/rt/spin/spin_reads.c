/* spin_reads.c - see spin_reads.h */
#include "rt/spin/spin_reads.h"

#include <assert.h>

#include "rt/inputs/stamp.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/spin/detour.h"

/* Whether a symbolic value is replaced by a different one is a condition on the inputs: then the
 * stamp shows that something was stored. */
uint32_t spin_reads_expand(SpinRead seen, SpinRead out[3])
{
    uint64_t address = word_address(seen.resource);
    out[0] = seen;
    if (seen.resource >> 56 == RES_PENDING) /* signals end every wait (interrupt.h) */
        return 0;
    if (LIKELY(!tracking.on) || seen.resource >> 56 != RES_MEMORY)
        return 1;
    out[1] = out[2] = seen;
    out[1].resource = stamp_resource(address);
    out[1].value = stamp_value(out[1].resource, seen.lanes);
    out[0].guards = out[1].value == 0;
    if (!out[1].value)
        return 2;
    out[0].value = 0;
    out[2].resource = stamp_updates_resource(address);
    out[2].value = stamp_value(out[2].resource, seen.lanes);
    return 3;
}

bool spin_reads_differ(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (reads[i].resource == reads[k].resource && reads[i].lanes == reads[k].lanes)
                return true;
    return false;
}

bool spin_reads_one_place(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (reads[i].plain || reads[i].mixed || reads[i].resource >> 56 != RES_MEMORY ||
            reads[i].resource != reads[0].resource || reads[i].lanes != reads[0].lanes)
            return false;
    return count > 0;
}

bool spin_reads_locked(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (reads[i].resource >> 56 == RES_RELEASES)
            return true;
    return false;
}

/* A write that leaves the value unchanged has no effect on others. A weak store is one in any case. */
bool spin_reads_changed(const Access *access)
{
    if (access->mode == MODE_READ || access->mode == MODE_NONE)
        return false;
    return access->before != access->after || (access->order != ORDER_STRONG && !(access->order & ORDER_UPDATES));
}

bool spin_reads_weak(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (reads[i].weak)
            return true;
    return false;
}

static bool are_all_weak(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!reads[i].weak && !reads[i].plain && !stamp_is_resource(reads[i].resource))
            return false;
    return true;
}

/* Guards that never hold, with what was read: nothing that the search takes for an access. */
void spin_reads_stop(const SpinRead *reads, uint32_t count, bool wrote)
{
    if (!are_all_weak(reads, count) || !detour_may_end(!wrote && spin_reads_one_place(reads, count)))
        return;
    step_begin(OP_SPIN, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (!reads[i].weak || reads[i].resource >> 56 != RES_MEMORY)
            continue;
        Access *access = step_touch(reads[i].resource, MODE_NONE);
        step_guard(access, NULL, REL_ULT, 0);
        access->lanes = reads[i].lanes;
        access->before = reads[i].value;
    }
    step_wait();
    assert(false);
}

bool spin_reads_outdated(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    for (unsigned i = 0; pending->op == OP_SPIN && i < pending->count; i++)
        if (pending->accesses[i].mode == MODE_NONE &&
            scheduler_guard_value(&pending->accesses[i], NULL) != pending->accesses[i].before)
            return true;
    return false;
}

bool spin_reads_in_steps(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!reads[i].plain)
            return true;
    return false;
}

/* Where locations that steps change were read, plain memory is not waited for: a write to it is a data
 * race, since the iteration does not synchronise after its reads. */
void spin_reads_announce(const SpinRead *reads, uint32_t count)
{
    bool steps = spin_reads_in_steps(reads, count);
    step_begin(OP_SPIN, 0);
    for (uint32_t i = 0; i < count; i++) {
        const SpinRead *seen = &reads[i];
        if (steps && seen->plain)
            continue;
        Access *access = step_touch(seen->resource, MODE_READ);
        if (seen->guards)
            step_guard(access, NULL, REL_NE, seen->value);
        access->lanes = seen->lanes;
    }
    step_guard_any();
}

void spin_reads_renew(void)
{
    const Event *event = step_event();
    for (unsigned i = 0; i < event->access_count; i++) {
        Access *access = &rt.ex->accesses[event->first_access + i];
        access->before = access->after = scheduler_guard_value(access, NULL);
    }
}

bool spin_reads_race(const SpinRead *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const SpinRead *seen = &reads[i];
        Access access = {.resource = seen->resource, .lanes = seen->lanes};
        if (seen->plain && seen->guards && scheduler_guard_value(&access, NULL) != seen->value)
            return true;
    }
    return false;
}
