/* redzone.h - red zones behind globals, and behind arrays on stacks
 *
 * The instrumenter adds a red zone to globals, and to local arrays, and structures that contain arrays, if their
 * address leaves the function. A byte per 8 bytes of stacks and globals says how many of them,
 * from the last, are closed: may not be accessed. The red zones of globals are always closed,
 * those of a function's variables from its first instruction to its return.
 */
#ifndef RT_MEMORY_REDZONE_H
#define RT_MEMORY_REDZONE_H

#include "base/error.h"
#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

typedef struct RedzoneShadow {
    uint8_t *stacks;              /* index: (address - ARENA_BASE) >> 3      */
    uint8_t *globals;             /* index: (address - globals_begin) >> 3   */
    uint64_t globals_begin, globals_size;
} RedzoneShadow;

extern RedzoneShadow redzone_shadow __attribute__((visibility("hidden")));

/* Closes the red zones of the globals, which lie in the range given, and of constants. False if there is no address
 * space. */
bool redzone_init(uint64_t globals_begin, uint64_t globals_end, Error *error);
/* Opens all red zones on stacks. */
void redzone_reset(void);
/* For an image of the execution, which is put back behind redzone_reset; then the red zones are closed as they were. */
void redzone_save(RtImage *image);
void redzone_close_again(void);
/* How many variables with red zones the functions have that the running thread is in; and it leaves those that it has
 * entered since then. */
uint32_t redzone_depth(void);
void redzone_return(uint32_t depth);
/* The running thread leaves unknown functions without their return: opens all red zones of its stack. */
void redzone_forget(void);
/* What the variables on a stack take at least in the program, as far as functions say so. */
uint64_t redzone_claimed(uint32_t seat);

/* Is the address on the running thread's stack, below all functions that have not returned? Frames of
 * functions called from here count as such, too. */
static ALWAYS_INLINE bool redzone_is_gone(uint64_t address)
{
    uint64_t here = address_of(__builtin_frame_address(0));
    return address < here && address / STACK_STRIDE == here / STACK_STRIDE && in_stacks(address);
}

/* The same as redzone_closed for an address on the stack of another thread. */
uint8_t redzone_closed_elsewhere(uint64_t address);

/* How many bytes of the aligned word at the address are closed. */
static ALWAYS_INLINE uint8_t redzone_closed(uint64_t address)
{
    if (in_stacks(address)) {
        uint64_t here = address_of(__builtin_frame_address(0));
        if (UNLIKELY(address / STACK_STRIDE != here / STACK_STRIDE))
            return redzone_closed_elsewhere(address);
        return UNLIKELY(address < here) ? 8 : redzone_shadow.stacks[(address - ARENA_BASE) >> 3];
    }
    if (address - redzone_shadow.globals_begin < redzone_shadow.globals_size)
        return redzone_shadow.globals[(address - redzone_shadow.globals_begin) >> 3];
    return 0;
}

/* Reports an access to a variable whose function has returned. */
_Noreturn void redzone_report_gone(uint64_t address, uint64_t size, bool writes);
/* A variable with a red zone, for as long as it is known which functions have returned. */
typedef struct RedzoneVariable {
    uint64_t address;             /* 0: none                                 */
    uint32_t stack, place;        /* which stack, which of its variables     */
    uint32_t forgotten;           /* how often that stack was forgotten      */
} RedzoneVariable;

/* The variable that contains the address; and has its function certainly returned? */
RedzoneVariable redzone_find_variable(uint64_t address);
bool redzone_has_returned(const RedzoneVariable *variable);
/* Reports an access to memory outside the heap if it touches a red zone. */
void redzone_check(uint64_t address, uint64_t size, bool writes);

#endif
