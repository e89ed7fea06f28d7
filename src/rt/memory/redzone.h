/* guard.h - arrays on stacks and among the globals: what lies right behind them is closed
 *
 * The instrumenter leaves a gap behind arrays, and structures that have some, if others get their
 * address (instr/passes/pass_guard.c). A byte per 8 bytes of stacks and globals says how many of them, from the
 * last, may not be touched. Gaps of globals are closed once and for all, those of a function's
 * variables from its begin to its return.
 */
#ifndef RT_MEMORY_GUARD_H
#define RT_MEMORY_GUARD_H

#include "base/error.h"
#include "rt/kernel/runtime.h"

typedef struct RedzoneShadow {
    uint8_t *stacks;              /* index: (address - ARENA_BASE) >> 3      */
    uint8_t *globals;             /* index: (address - globals_begin) >> 3   */
    uint64_t globals_begin, globals_size;
} RedzoneShadow;

extern RedzoneShadow redzone_shadow __attribute__((visibility("hidden")));

bool redzone_init(uint64_t globals_begin, uint64_t globals_end, Error *error);
/* Opens all gaps on stacks. */
void redzone_reset(void);
/* The running thread leaves some of its functions without their return. */
void redzone_forget(void);

/* On the running thread's stack, below all functions that have not returned? Only of those that
 * are called from here one cannot tell. */
static ALWAYS_INLINE bool redzone_is_gone(uint64_t address)
{
    uint64_t here = address_of(__builtin_frame_address(0));
    return address < here && address / STACK_STRIDE == here / STACK_STRIDE && in_stacks(address);
}

/* How many of the 8 bytes around the address are closed. */
static ALWAYS_INLINE uint8_t redzone_closed(uint64_t address)
{
    if (in_stacks(address))
        return UNLIKELY(redzone_is_gone(address)) ? 8 : redzone_shadow.stacks[(address - ARENA_BASE) >> 3];
    if (address - redzone_shadow.globals_begin < redzone_shadow.globals_size)
        return redzone_shadow.globals[(address - redzone_shadow.globals_begin) >> 3];
    return 0;
}

/* Reports an access to a variable whose function has returned. */
_Noreturn void redzone_report_gone(uint64_t address, uint64_t size, bool writes);
/* Reports an access to memory that is no heap if it touches a gap. */
void redzone_check(uint64_t address, uint64_t size, bool writes);
/* Reports an access outside an object that is no heap block; the thread goes no further. */
_Noreturn void redzone_report(const char *verb, uint64_t address, uint64_t size, const char *name, uint64_t object,
                            uint64_t object_size);

#endif
