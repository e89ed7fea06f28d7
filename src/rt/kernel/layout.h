/* layout.h - the address space of the program under test
 *
 * Everything that instrumented code can allocate lies in one reserved range, the
 * arena, at the same addresses in every process: a stack and a heap per agent
 * number, and room for large blocks. So addresses do not depend on the schedule,
 * and one subtraction shows what kind of memory an address belongs to.
 */
#ifndef RT_KERNEL_LAYOUT_H
#define RT_KERNEL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/execution.h"

enum { RT_MAX_AGENTS = 1 << 12 }; /* threads, actors and messages */
_Static_assert((int)RT_MAX_AGENTS <= (int)EXECUTION_MAX_AGENTS, "executions have room for them");
#pragma GCC poison EXECUTION_MAX_AGENTS /* it is larger: tables of the runtime have RT_MAX_AGENTS entries */

#define ADDRESS_SPACE (1ull << 47)  /* of any process */
#define ARENA_BASE 0x200000000000ull

#define STACK_STRIDE (256ull << 20) /* how much of it a thread may use: thread.h */
#define STACK_SPAN (STACK_STRIDE * RT_MAX_AGENTS)

#define HEAP_OFFSET STACK_SPAN
#define HEAP_STRIDE (128ull << 20)
#define HEAP_SPAN (HEAP_STRIDE * RT_MAX_AGENTS)

/* For blocks that would soon fill a heap; only the first agents have such room. */
#define LARGE_OFFSET (HEAP_OFFSET + HEAP_SPAN)
#define LARGE_STRIDE (2ull << 30)
#define LARGE_AGENTS 256
#define LARGE_SPAN (LARGE_STRIDE * LARGE_AGENTS)

#define ARENA_SPAN (LARGE_OFFSET + LARGE_SPAN)

/* Below the arena: what identifies the threads, see identity.h. */
#define IDENTITY_STRIDE 64ull
#define IDENTITY_SPAN (IDENTITY_STRIDE * RT_MAX_AGENTS)
#define IDENTITY_BASE (ARENA_BASE - IDENTITY_SPAN)

static inline uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

static inline bool in_arena(uint64_t address) { return address - ARENA_BASE < ARENA_SPAN; }
static inline bool in_stacks(uint64_t address) { return address - ARENA_BASE < STACK_SPAN; }
/* Heap or large block. */
static inline bool in_heaps(uint64_t address)
{
    return address - (ARENA_BASE + HEAP_OFFSET) < HEAP_SPAN + LARGE_SPAN;
}

/* Whose heap it is. */
static inline AgentId heap_owner(uint64_t address)
{
    uint64_t offset = address - (ARENA_BASE + HEAP_OFFSET);
    return (AgentId)(offset < HEAP_SPAN ? offset / HEAP_STRIDE : (offset - HEAP_SPAN) / LARGE_STRIDE);
}

static inline uint64_t stack_bottom(AgentId agent) { return ARENA_BASE + agent * STACK_STRIDE; }
static inline uint64_t heap_bottom(AgentId agent) { return ARENA_BASE + HEAP_OFFSET + agent * HEAP_STRIDE; }
static inline uint64_t large_bottom(AgentId agent) { return ARENA_BASE + LARGE_OFFSET + agent * LARGE_STRIDE; }

#endif
