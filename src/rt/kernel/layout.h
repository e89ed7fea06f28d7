/* layout.h - the address space of the program under test
 *
 * Everything that instrumented code can allocate lies in one reserved range, the
 * arena, at the same addresses in every process: a stack and a heap per seat
 * (seat.h), and room for large blocks. So addresses do not depend on the schedule,
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

/* Seats: main and its children; their descendants with short paths, each numbered by its path; other agents. */
enum {
    SEAT_BITS = 12,                                /* of the code of a path */
    SEAT_PATHS = RT_MAX_AGENTS,
    SEAT_OTHERS = SEAT_PATHS + (2 << SEAT_BITS),
    RT_SEATS = SEAT_OTHERS + RT_MAX_AGENTS
};

#define ADDRESS_SPACE (1ull << 47)  /* of any process */
#define ARENA_BASE 0x200000000000ull

#define STACK_STRIDE (256ull << 20) /* how much of it a thread may use: thread.h */
#define STACK_SPAN (STACK_STRIDE * RT_SEATS)

#define HEAP_OFFSET STACK_SPAN
#define HEAP_STRIDE (128ull << 20)
#define HEAP_SPAN (HEAP_STRIDE * RT_SEATS)

/* For blocks that would soon fill a heap; only the first children of main and the shortest paths have such room. */
#define LARGE_OFFSET (HEAP_OFFSET + HEAP_SPAN)
#define LARGE_STRIDE (2ull << 30)
#define LARGE_HALF 128
#define LARGE_SEATS (2 * LARGE_HALF)
#define LARGE_SPAN (LARGE_STRIDE * LARGE_SEATS)

/* What the program is given when it starts (rt/memory/given.h). Linux accepts 6 MB; what is not used costs nothing. */
#define GIVEN_OFFSET (LARGE_OFFSET + LARGE_SPAN)
#define GIVEN_BASE (ARENA_BASE + GIVEN_OFFSET)
#define GIVEN_SPAN (8ull << 20)

#define ARENA_SPAN (GIVEN_OFFSET + GIVEN_SPAN)

/* Below the arena: what identifies the threads, see identity.h. */
#define IDENTITY_STRIDE 64ull
#define IDENTITY_SPAN (IDENTITY_STRIDE * RT_SEATS)
#define IDENTITY_BASE (ARENA_BASE - IDENTITY_SPAN)

static inline uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

static inline bool in_arena(uint64_t address) { return address - ARENA_BASE < ARENA_SPAN; }
static inline bool in_stacks(uint64_t address) { return address - ARENA_BASE < STACK_SPAN; }
/* Heap or large block. */
static inline bool in_heaps(uint64_t address)
{
    return address - (ARENA_BASE + HEAP_OFFSET) < HEAP_SPAN + LARGE_SPAN;
}

/* The room for large blocks of a seat; LARGE_SEATS or more: it has none. */
static inline uint32_t large_of_seat(uint32_t seat)
{
    return seat < LARGE_HALF ? seat : seat >= SEAT_PATHS ? seat - SEAT_PATHS + LARGE_HALF : LARGE_SEATS;
}
static inline uint32_t seat_of_large(uint32_t large)
{
    return large < LARGE_HALF ? large : large - LARGE_HALF + SEAT_PATHS;
}

/* Memory that processes share, in a program that forks: the heaps of seats that its threads do not take. */
static inline bool in_shared_heaps(uint64_t address)
{
    const uint64_t first = ARENA_BASE + HEAP_OFFSET + SEAT_OTHERS * HEAP_STRIDE;
    return address - first < RT_MAX_AGENTS * HEAP_STRIDE;
}

/* Whose stack it is. */
static inline uint32_t stack_seat(uint64_t address) { return (uint32_t)((address - ARENA_BASE) / STACK_STRIDE); }
/* Whose heap it is. */
static inline uint32_t heap_seat(uint64_t address)
{
    uint64_t offset = address - (ARENA_BASE + HEAP_OFFSET);
    return offset < HEAP_SPAN ? (uint32_t)(offset / HEAP_STRIDE)
                              : seat_of_large((uint32_t)((offset - HEAP_SPAN) / LARGE_STRIDE));
}

static inline uint64_t stack_bottom(uint32_t seat) { return ARENA_BASE + seat * STACK_STRIDE; }
static inline uint64_t heap_bottom(uint32_t seat) { return ARENA_BASE + HEAP_OFFSET + seat * HEAP_STRIDE; }
static inline uint64_t large_bottom(uint32_t large) { return ARENA_BASE + LARGE_OFFSET + large * LARGE_STRIDE; }

#endif
