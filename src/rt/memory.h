/* memory.h - the program's heap: where blocks are and which bytes of them may be touched
 *
 * Blocks come from a bump arena per thread, at addresses that do not depend on the
 * schedule, and are never used twice in an execution. A shadow byte per 8 bytes says
 * how many of them (from the first) may be touched: 0 none, 1..8; FREED a freed block.
 */
#ifndef RT_MEMORY_H
#define RT_MEMORY_H

#include "rt/rt_internal.h"

enum { SHADOW_FREED = 0xff };

extern uint8_t *memory_shadow __attribute__((visibility("hidden"))); /* index: (address - heaps) >> 3 */

static inline uint8_t *memory_shadow_of(uint64_t address)
{
    return memory_shadow + ((address - (ARENA_BASE + HEAP_OFFSET)) >> 3);
}

/* Reports what is wrong with an access to heap memory, if anything. */
void memory_check_slow(uint64_t address, uint64_t size, bool writes);

static inline void memory_check(uint64_t address, uint64_t size, bool writes)
{
    if (!in_heaps(address))
        return;
    uint64_t end = (address & 7) + size;
    uint8_t shadow = *memory_shadow_of(address);
    if (UNLIKELY(end > shadow || shadow > 8))
        memory_check_slow(address, size, writes);
}

/* A block of the heap, alive or freed. */
typedef struct Block {
    uint64_t address;
    uint64_t size;
    uint64_t site;        /* where it was allocated   */
    uint64_t free_site;   /* where it was freed, or 0 */
    AgentId agent;        /* who allocated it         */
    AgentId freed_by;
    uint32_t free_step;   /* position of the step it was freed in */
    uint32_t number;      /* which block of its agent: 1, 2, ... */
    bool freed;
    bool marked;          /* reachable; used by leak.c */
} Block;

bool memory_init(Error *error);
void memory_reset(void);
/* The block that contains the address or lies nearest below it; NULL if there is none. */
Block *memory_find_block(uint64_t address);
/* Calls `each` for every block of the execution. */
void memory_each_block(void (*each)(void *context, Block *block), void *context);

/* Memory for the program that is part of no block (thread-local variables). */
void *memory_take(Thread *thread, uint64_t size, uint64_t alignment);

#endif
