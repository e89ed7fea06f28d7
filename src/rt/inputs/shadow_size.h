/* shadow_size.h - blocks of symbolic size
 *
 * To explore every size separately would be hopeless. Sizes fall into a few classes; a block has room for the largest
 * of its class, and each access decides whether the block is large enough for it.
 */
#ifndef RT_INPUTS_SHADOW_SIZE_H
#define RT_INPUTS_SHADOW_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* How much room a block of this size needs; 0 if the size was concretised or exceeds the address space. */
uint64_t shadow_size_room(uint32_t shadow, uint64_t size);
/* The shadow of count * size, of which at least one has a shadow; 0 if the product overflows. */
uint32_t shadow_size_product(const uint32_t *shadows, uint64_t count, uint64_t size);
/* Decides whether `end` bytes are within the size; `inside` is what this execution's inputs say. */
void shadow_size_decide(uint32_t shadow, uint64_t end, bool inside, bool in_step);

#endif
