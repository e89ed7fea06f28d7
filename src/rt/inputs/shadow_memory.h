/* shadow_memory.h - shadows of bytes in memory
 *
 * A table of 8-byte words that have a shadow, and a small map of where they may be, which instrumented code reads. Each
 * byte refers to a byte of an expression and records the value it had: if memory holds another value, uninstrumented
 * code wrote it, and the byte has no shadow any more.
 */
#ifndef RT_INPUTS_SHADOW_MEMORY_H
#define RT_INPUTS_SHADOW_MEMORY_H

#include "rt/inputs/tracking.h"

void shadow_memory_reset(void);
/* The shadow of a value of `width` bits in memory; `bytes` are those it has. */
uint32_t shadow_memory_get(uint64_t address, const void *bytes, uint32_t width);
/* Gives a value in memory its shadow, and its stamp (stamp.h). Memory holds the value already. */
void shadow_memory_put(uint64_t address, uint32_t shadow, uint32_t width);
/* The same without the stamp, for atomic operations, which set it themselves. */
void shadow_memory_set(uint64_t address, uint32_t shadow, uint32_t width);
void shadow_memory_clear(uint64_t address, uint64_t size);
/* Has any memory been given a shadow in this execution? */
bool shadow_memory_used(void);
/* Marks the word as touched by inputs, whatever an operation left there. */
void shadow_memory_note(uint64_t address);
/* Has the word of this address held a symbolic value in this execution, or was it noted? */
bool shadow_memory_touched(uint64_t address);
/* Copies shadows; memory was copied already. The ranges may overlap. */
void shadow_memory_copy(uint64_t to, uint64_t from, uint64_t size);

/* The runtime has written concrete values to memory of the program. */
static inline void shadow_memory_overwritten(const void *p, uint64_t size)
{
    if (UNLIKELY(tracking.on))
        shadow_memory_clear(address_of(p), size);
}

#endif
