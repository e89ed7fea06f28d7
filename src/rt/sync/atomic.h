/* atomic.h - what atomic operations share, tracked or not: the arithmetic of updates */
#ifndef RT_SYNC_ATOMIC_H
#define RT_SYNC_ATOMIC_H

#include <stdint.h>
#include <string.h>

#include "rt/abi/hooks.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/step.h"

static inline int64_t rmw_sign_extend(uint64_t value, uint32_t size)
{
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static inline double rmw_float(uint64_t bits, uint32_t size)
{
    float single;
    double value;
    if (size == 4) {
        memcpy(&single, &bits, sizeof single);
        return single;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t rmw_float_bits(double value, uint32_t size)
{
    float single = (float)value;
    uint64_t bits = 0;
    if (size == 4)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static inline uint64_t rmw_updated_float(uint32_t op, uint64_t old, uint64_t operand, uint32_t size)
{
    double a = rmw_float(old, size), b = rmw_float(operand, size);
    switch (op) {
    case SENNIT_RMW_FADD: return rmw_float_bits(a + b, size);
    case SENNIT_RMW_FSUB: return rmw_float_bits(a - b, size);
    case SENNIT_RMW_FMAX: return rmw_float_bits(a > b || b != b ? a : b, size);
    default: return rmw_float_bits(a < b || b != b ? a : b, size);
    }
}

/* The new value of an update; bits beyond `size` bytes are not cleared. */
static inline uint64_t rmw_updated(uint32_t op, uint64_t old, uint64_t operand, uint32_t size)
{
    switch (op) {
    case SENNIT_RMW_XCHG: return operand;
    case SENNIT_RMW_ADD: return old + operand;
    case SENNIT_RMW_SUB: return old - operand;
    case SENNIT_RMW_AND: return old & operand;
    case SENNIT_RMW_NAND: return ~(old & operand);
    case SENNIT_RMW_OR: return old | operand;
    case SENNIT_RMW_XOR: return old ^ operand;
    case SENNIT_RMW_MAX: return rmw_sign_extend(old, size) > rmw_sign_extend(operand, size) ? old : operand;
    case SENNIT_RMW_MIN: return rmw_sign_extend(old, size) < rmw_sign_extend(operand, size) ? old : operand;
    case SENNIT_RMW_UMAX: return old > operand ? old : operand;
    case SENNIT_RMW_UMIN: return old < operand ? old : operand;
    default: return rmw_updated_float(op, old, operand, size);
    }
}

/* Updates whose result is unused commute with updates of the same kind. */
static inline Mode rmw_mode(uint32_t op, uint32_t unused)
{
    if (!unused)
        return MODE_WRITE;
    switch (op) {
    case SENNIT_RMW_ADD:
    case SENNIT_RMW_SUB: return MODE_ACCUMULATE;
    case SENNIT_RMW_OR: return MODE_ACCUMULATE_OR;
    case SENNIT_RMW_AND: return MODE_ACCUMULATE_AND;
    case SENNIT_RMW_XOR: return MODE_ACCUMULATE_XOR;
    default: return MODE_WRITE;
    }
}

static inline RaceOp rmw_race_op(Mode mode) { return mode == MODE_WRITE ? LOG_RMW : LOG_UPDATE; }

/* For waits, which exist only on objects in one word. */
static inline void atomic_refuse_wide(const void *p, uint32_t size)
{
    if (((uint64_t)(uintptr_t)p & 7) + size > 8)
        report_not_modelled("a spin loop on an atomic object that is not aligned");
}

/* Does the running thread take its next step at once, and is the object in one word? */
static ALWAYS_INLINE bool atomic_is_fast(const Thread *self, uint64_t address, unsigned size)
{
    return LIKELY(self && !self->special && (address & 7) + size <= 8 && step_continues(self));
}

/* The execution is over, and the thread still waits for a value that it assumes: makes the access that fails, as far as
 * it can have bugs, and stops the thread. */
_Noreturn void atomic_assume_in_vain(Thread *self);

/* atomic_wide.c: an update of an object that lies in two words. Returns the old value. */
uint64_t atomic_wide_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site);

#endif
