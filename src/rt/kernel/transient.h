/* transient.h - the runtime's own memory for one execution
 *
 * A bump arena at a fixed place, emptied when the next execution begins. Nothing in it is
 * freed before.
 */
#ifndef RT_KERNEL_TRANSIENT_H
#define RT_KERNEL_TRANSIENT_H

#include <stddef.h>

#include "rt/kernel/image.h"

void transient_init(void);
void transient_reset(void);
/* For an image of the execution. */
void transient_save(RtImage *image);
/* Zeroed, 16-byte aligned. */
void *transient_alloc(size_t size);
/* The part in use, for the search for leaks. */
void transient_range(const void **begin, const void **end);

#endif
