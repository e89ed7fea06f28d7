/* wide.h - values of atomic objects under weak memory, of 16 bytes too
 *
 * The engine knows values of 8 bytes. A value of 16 bytes has a name of 8, from which it can be read
 * again if it is small, or an address with a small number; else the name is a hash. Names are the same in every
 * execution. If two values had the same hash, the exploration would end with a message.
 */
#ifndef RT_WEAK_WIDE_H
#define RT_WEAK_WIDE_H

#include "rt/kernel/runtime.h"
#include "rt/memory/word.h"

enum { WIDE_SIZE = 16 };

/* The name of the value of an object of WIDE_SIZE in memory. Ends the exploration if it is symbolic. */
uint64_t wide_name(const void *p);
/* Stores the value that has the name, which must have come from wide_name, in this execution. */
void wide_store_named(void *p, uint64_t name);

/* The halves of the value with this name; false if the name does not tell. */
bool wide_halves(uint64_t name, uint64_t *halves);

/* The value, or its name, of an object in memory: of 1 to 8 bytes, or of WIDE_SIZE. */
static inline uint64_t wide_load(const void *p, unsigned size)
{
    return LIKELY(size <= 8) ? word_load((uint64_t)(uintptr_t)p, size) : wide_name(p);
}
static inline void wide_store(void *p, uint64_t value, unsigned size)
{
    if (UNLIKELY(size > 8))
        wide_store_named(p, value);
    else
        word_store((uint64_t)(uintptr_t)p, value, size);
}

static inline uint64_t wide_load_word(Word word) { return wide_load((const void *)(uintptr_t)word.address, word.size); }

#endif
