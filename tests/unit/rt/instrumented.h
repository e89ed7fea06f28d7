/* instrumented.h - code as the instrumenter leaves it, written by hand
 *
 * Accesses go through the hooks, each with its place; globals are registered, so that
 * executions start with their first values.
 */
#ifndef UNIT_RT_INSTRUMENTED_H
#define UNIT_RT_INSTRUMENTED_H

#include <stdatomic.h>

#include "rt/abi/hooks.h"
#include "sandbox.h"

#define SITE                                                                    \
    ({                                                                          \
        static const SennitSite site_here = {__FILE__, __func__, __LINE__, 1, 0};  \
        &site_here;                                                             \
    })

#define GLOBAL(variable)                                                                          \
    static const SennitGlobal variable##_record __attribute__((section("sennit_globals"), used, aligned(8))) = \
        {.address = (void *)&variable, .size = sizeof variable, .name = #variable}

#define LOAD(x) sennit_rt_atomic_load(&(x), sizeof(x), memory_order_seq_cst, SITE)
#define LOAD_AS(x, order) sennit_rt_atomic_load(&(x), sizeof(x), order, SITE)
#define STORE(x, v) sennit_rt_atomic_store(&(x), (uint64_t)(v), sizeof(x), memory_order_seq_cst, SITE)
#define STORE_AS(x, v, order) sennit_rt_atomic_store(&(x), (uint64_t)(v), sizeof(x), order, SITE)
#define RMW(x, op, v) sennit_rt_atomic_rmw(&(x), SENNIT_RMW_##op, (uint64_t)(v), sizeof(x), memory_order_seq_cst, 0, SITE)
#define UPDATE(x, op, v) sennit_rt_atomic_rmw(&(x), SENNIT_RMW_##op, (uint64_t)(v), sizeof(x), memory_order_seq_cst, 1, SITE)
static inline int swap_if(void *p, uint64_t old, uint64_t new, uint32_t size, const SennitSite *site)
{
    return sennit_rt_atomic_cas(p, old, new, size, memory_order_seq_cst, memory_order_seq_cst, 0, site) == old;
}
#define CAS(x, old, new) swap_if(&(x), (uint64_t)(old), (uint64_t)(new), sizeof(x), SITE)
#define FENCE(order) sennit_rt_atomic_fence(order, SITE)
#define AWAIT(x, relation, v) sennit_rt_atomic_await(&(x), sizeof(x), memory_order_seq_cst, relation, UINT64_MAX, (uint64_t)(v), SITE)

#define READ(x) (sennit_rt_read_n(&(x), sizeof(x), SITE), (x))
#define WRITE(x, v) (sennit_rt_write_n(&(x), sizeof(x), SITE), (void)((x) = (v)))
/* A number that the compiler does not know, where it would warn. */
#define UNKNOWN(n) ({ volatile __typeof__(n) unknown_number = (n); unknown_number; })

#define READ4(x) (sennit_rt_read4(&(x), SITE), (x))
#define WRITE4(x, v) (sennit_rt_write4(&(x), SITE), (void)((x) = (v)))

#endif
