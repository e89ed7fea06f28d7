/* kernel_look.c - see kernel_look.h */
#include "rt/weak/kernel_look.h"

#include "rt/abi/hooks.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/tracking.h"
#include "rt/weak/order.h"
#include "rt/weak/weak_step.h"

/* Only the search is told, not the race detector. */
static void order_memory(const KernelLock *lock, Order order)
{
    enum { BEYOND_HASHES = 55 };
    uint64_t name = 1ull << BEYOND_HASHES | lock->resource;
    step_touch(resource_make(RES_SYNC, name), MODE_NONE)->order = (uint8_t)order;
}

static void set_held(KernelLock *lock, bool held)
{
    Access *access = step_find(lock->resource);
    access->before = lock->held;
    access->after = lock->held = held;
    order_memory(lock, ORDER_ACQUIRE);
    order_memory(lock, ORDER_RELEASE);
}

void kernellook_announce(KernelLock *lock, bool held)
{
    if (!weak_applies(rt.self))
        return;
    Access *access = step_touch(lock->resource, MODE_WRITE);
    if (!held)
        step_guard(access, &lock->held, REL_EQ, 0);
}

void kernellook_end(KernelLock *lock)
{
    if (weak_applies(rt.self))
        set_held(lock, false);
}

void kernellook_fence(void)
{
    if (!weak_applies(rt.self))
        return;
    step_begin(OP_FENCE, 0);
    step_touch(0, MODE_NONE)->order = ORDER_SEQ_CST;
    step_wait();
    step_done();
}

void kernellook_begin(OpKind op, KernelLock *first, KernelLock *second)
{
    const SennitSite *site = sennit_rt_site;
    Access *access = step_begin(op, first->resource);
    step_guard(access, &first->held, REL_EQ, 0);
    if (second)
        kernellook_announce(second, false);
    step_wait();
    set_held(first, true);
    if (second)
        set_held(second, true);
    step_done();
    kernellook_fence();
    sennit_rt_site = site;
}

static uint32_t concrete(WeakValue found)
{
    if (UNLIKELY(found.shadow))
        concretise_value(shadow_expr(found.shadow), found.value, "the word of a futex");
    return (uint32_t)found.value;
}

uint32_t kernellook_read(Word word)
{
    WeakTarget target = {word, C_RELAXED, sennit_rt_site};
    return concrete(weak_load(&target));
}

uint32_t kernellook_update(Word word, uint32_t op, uint32_t operand)
{
    WeakTarget target = {word, C_RELAXED, sennit_rt_site};
    return concrete(weak_update(&target, op, (WeakValue){operand, 0}));
}
