/* memory_check.h - is an access to memory inside an object that is alive?
 *
 * The common case is decided by one shadow byte, of the heap (memory.h) or of a red zone
 * (redzone.h). A bug stops the running thread, except for a use of freed memory that could as
 * well have come before the free.
 */
#ifndef RT_MEMORY_MEMORY_CHECK_H
#define RT_MEMORY_MEMORY_CHECK_H

#include "rt/memory/memory.h"
#include "rt/memory/redzone.h"

/* Reports the bug of an access to memory, if it has one. If that is a condition on the inputs, the
 * decision is a step of its own or, with `in_step`, part of the step being executed. */
void memory_check_slow(uint64_t address, uint64_t size, bool writes, bool in_step);

static ALWAYS_INLINE bool memory_is_open(uint64_t address, uint64_t size)
{
    if (!in_heaps(address))
        return LIKELY((address & 7) + size + redzone_closed(address) <= 8);
    uint8_t shadow = *memory_shadow_of(address);
    return LIKELY((address & 7) + size <= shadow && shadow <= 8);
}

static ALWAYS_INLINE void memory_check(uint64_t address, uint64_t size, bool writes)
{
    if (memory_is_open(address, size))
        return;
    if (UNLIKELY(redzone_is_gone(address)))
        redzone_report_gone(address, size, writes);
    memory_check_slow(address, size, writes, false);
}

static ALWAYS_INLINE void memory_check_in_step(uint64_t address, uint64_t size, bool writes)
{
    if (!memory_is_open(address, size))
        memory_check_slow(address, size, writes, true);
}

/* Reports a bug about the block and stops the thread. */
_Noreturn void memory_stop_at(BugKind kind, const Block *block, uint64_t address, const char *what);

#endif
