/* wide.h - values of atomic objects under weak memory, of 16 bytes too
 *
 * The engine knows values of 8 bytes. A value of 16 bytes has a name of 8: its first half if the other one is 0, else
 * a hash of both. Names are the same in every execution. If two values had the same name, the exploration would end
 * with a message.
 */
#ifndef RT_WEAK_WIDE_H
#define RT_WEAK_WIDE_H

#include "rt/memory/word.h"

enum { WIDE_SIZE = 16 };

/* The value, or its name, of an object in memory: of 1 to 8 bytes, or of WIDE_SIZE. Ends the exploration if one of that
 * size is symbolic. */
uint64_t wide_load(const void *p, unsigned size);
/* The value that has the name. A name must have come from wide_load, in this execution. */
void wide_store(void *p, uint64_t value, unsigned size);

static inline uint64_t wide_load_word(Word word) { return wide_load((const void *)(uintptr_t)word.address, word.size); }

#endif
